import * as v from "valibot";
import { groupInstance } from "../../../clients/aws/ec2-instances";
import { ec2Place, object, positiveInteger, seconds, text, url, wholePattern } from "../../harness/plan";

const aws = object({
    ...ec2Place,
    /** Auto Scaling's API: `https://autoscaling.eu-central-1.amazonaws.com`. */
    autoScaling: url("https"),
    /** Regular expression for the full names of nodes of Auto Scaling groups: the instance ID comes first. */
    namePattern: wholePattern,
    /** Tag of the cluster's instances, with the value `owned`. */
    clusterTag: text("a tag"),
});

const digitalOcean = object({
    /** Its API: `https://api.digitalocean.com`. */
    api: url("https"),
    /** Tag of the cluster's droplets. */
    tag: text("a tag"),
});

export type AwsPlace = v.InferOutput<typeof aws>;
export type DigitalOceanPlace = v.InferOutput<typeof digitalOcean>;
export type RepairCloud = AwsPlace | DigitalOceanPlace;

export const planSchema = object({
    /** The API as the agent's own machine reaches it: `https://127.0.0.1:6443`. */
    apiServer: url("https"),
    /** The label of nodes that run the control plane. */
    controllerLabel: text("a label"),
    /** The label with the name of a node's pool. */
    poolLabel: text("a label"),
    /** Seconds for which a node must not be Ready before its machine is restarted. */
    restartAfter: seconds,
    /** The same before its machine is replaced. */
    replaceAfter: seconds,
    /** How many of a pool's machines may be under repair at a time, and replaced in an hour: at least one. */
    maxUnavailablePercentage: positiveInteger,
    /** What restarts and replaces machines. @default - only a person can */
    cloud: v.optional(v.union([aws, digitalOcean], "of AWS or DigitalOcean")),
});

/** Plan of the agent that repairs machines: `plan.json`. It contains no secrets. */
export type NodeRepairerPlan = v.InferOutput<typeof planSchema>;

/** `k8s-app` of the agent, and its service account. */
export const nodeRepairerName = "node-repairer";

/** Variable of the agent with the token for its cloud's API, if that needs one. */
export const tokenVariable = "CLOUD_TOKEN";

/** On a Node whose machine must not be repaired, with the value `off`. */
export const repairAnnotation = "tradewind.dev/repair";

/** What the agent can do about a machine. */
export function abilities(
    { cloud }: NodeRepairerPlan,
    node: { readonly name: string; readonly isController: boolean },
) {
    const isOfGroup =
        cloud !== undefined && "ec2" in cloud && groupInstance(node.name, cloud.namePattern) !== undefined;
    return { restarts: cloud !== undefined, replaces: isOfGroup && !node.isController };
}
