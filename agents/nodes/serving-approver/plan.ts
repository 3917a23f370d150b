import type { Ec2Place } from "../../../clients/aws/ec2-instances";
import {
    type Check,
    ec2Checks,
    isAbsolutePath,
    isText,
    isUrl,
    isWholePattern,
    problemsOf,
    readPlanFile,
} from "../../harness/plan";

/** Plan of the serving approver: whose kubelets may get server certificates: `plan.json`. It contains no secrets. */
export interface ServingApproverPlan {
    /** The API as the agent's own machine reaches it: `https://127.0.0.1:6443`. */
    readonly apiServer: string;
    /** File with {@link Machines} as JSON. Reread each time, since machines are added and removed. */
    readonly machines: string;
    /** Where to query the names and addresses of instances. @default - the addresses are known */
    readonly instances?: InstancesPlan;
}

/**
 * Addresses and names of the stack's machines, in addition to their node names, by node; or, if EC2 is queried, the ID
 * of the instance, which stands for what EC2 returns.
 */
export type Machines = Readonly<Record<string, readonly string[]>>;

export interface InstancesPlan extends Ec2Place {
    /** Regular expression for the full names of nodes of Auto Scaling groups: the instance ID comes first. */
    readonly namePattern: string;
    /** Names of the stack's groups. */
    readonly groups: readonly string[];
}

export function readPlan(path: string): ServingApproverPlan {
    return readPlanFile<ServingApproverPlan>(path, planProblems);
}

/** Everything wrong with a plan, each problem with its path. */
export function planProblems({ apiServer, machines, instances }: ServingApproverPlan): string[] {
    const checks: Check[] = [
        [isUrl("https", apiServer), "apiServer", "an https:// URL without a path", apiServer],
        [isAbsolutePath(machines), "machines", "an absolute path", machines],
        ...(instances === undefined ? [] : instancesChecks(instances)),
    ];
    return problemsOf(checks);
}

function instancesChecks(instances: InstancesPlan): Check[] {
    const { namePattern, groups } = instances;
    const areTexts = Array.isArray(groups) && groups.every(isText);
    return [
        ...ec2Checks(instances, "instances."),
        [isWholePattern(namePattern), "instances.namePattern", "a regular expression from ^ to $", namePattern],
        [areTexts, "instances.groups", "names", groups],
    ];
}
