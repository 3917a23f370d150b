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

/** Whose kubelets may have certificates of servers: `plan.json`. It holds no secret. */
export interface ServingApproverPlan {
    /** The API as the agent's own machine reaches it: `https://127.0.0.1:6443`. */
    readonly apiServer: string;
    /** File with {@link Machines} as JSON, which is read again each time: machines come and go. */
    readonly machines: string;
    /** Where instances' names and addresses are asked for. @default the machines' addresses are known */
    readonly instances?: InstancesPlan;
}

/**
 * By what the machines that the stack made are reached beside their nodes' names, by those: addresses and names; or, where EC2
 * is asked, an instance's id, which stands for what EC2 says it has.
 */
export type Machines = Readonly<Record<string, readonly string[]>>;

export interface InstancesPlan extends Ec2Place {
    /** Regular expression of the whole names of nodes that Auto Scaling groups make: the instance's id comes first. */
    readonly namePattern: string;
    /** Names of the stack's groups. */
    readonly groups: readonly string[];
}

export function readPlan(path: string): ServingApproverPlan {
    return readPlanFile<ServingApproverPlan>(path, planProblems);
}

/** What is wrong with a plan, each with its path. */
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
        [isWholePattern(namePattern), "instances.namePattern", "a regular expression of whole names", namePattern],
        [areTexts, "instances.groups", "names", groups],
    ];
}
