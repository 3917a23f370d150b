import * as v from "valibot";
import { absolutePath, ec2Place, object, texts, url, wholePattern } from "../../harness/plan";

const instancesPlan = object({
    ...ec2Place,
    /** Regular expression for the full names of nodes of Auto Scaling groups: the instance ID comes first. */
    namePattern: wholePattern,
    /** Names of the stack's groups. */
    groups: texts("names"),
});

export type InstancesPlan = v.InferOutput<typeof instancesPlan>;

export const planSchema = object({
    /** The API as the agent's own machine reaches it: `https://127.0.0.1:6443`. */
    apiServer: url("https"),
    /** File with {@link Machines} as JSON. Reread each time, since machines are added and removed. */
    machines: absolutePath,
    /** Where to query the names and addresses of instances. @default - the addresses are known */
    instances: v.optional(instancesPlan),
});

/** Plan of the serving approver: whose kubelets may get server certificates: `plan.json`. It contains no secrets. */
export type ServingApproverPlan = v.InferOutput<typeof planSchema>;

/**
 * Addresses and names of the stack's machines, in addition to their node names, by node; or, if EC2 is queried, the ID
 * of the instance, which stands for what EC2 returns.
 */
export type Machines = Readonly<Record<string, readonly string[]>>;
