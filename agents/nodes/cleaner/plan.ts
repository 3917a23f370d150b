import type { Ec2Place } from "../../../clients/aws/ec2-instances";
import { type Check, ec2Checks, isText, isUrl, isWholePattern, problemsOf, readPlanFile } from "../../harness/plan";

/** The node cleaner's plan (`plan.json`): nodes are deleted once their instances are gone. It contains no secrets. */
export interface NodeCleanerPlan extends Ec2Place {
    /** The API as the agent's own machine reaches it: `https://127.0.0.1:6443`. */
    readonly apiServer: string;
    /** Regular expression for the full names of nodes of Auto Scaling groups: the instance ID comes first. */
    readonly namePattern: string;
    /** Label of nodes that are never deleted. */
    readonly controllerLabel: string;
}

export function readPlan(path: string): NodeCleanerPlan {
    return readPlanFile<NodeCleanerPlan>(path, planProblems);
}

/** Everything wrong with a plan, each problem with its path. */
export function planProblems(plan: NodeCleanerPlan): string[] {
    const { apiServer, namePattern, controllerLabel } = plan;
    const checks: Check[] = [
        [isUrl("https", apiServer), "apiServer", "an https:// URL without a path", apiServer],
        ...ec2Checks(plan),
        [isWholePattern(namePattern), "namePattern", "a regular expression from ^ to $", namePattern],
        [isText(controllerLabel), "controllerLabel", "a label", controllerLabel],
    ];
    return problemsOf(checks);
}
