import type { Ec2Place } from "../../../clients/aws/ec2-instances";
import { type Check, ec2Checks, isText, isUrl, isWholePattern, problemsOf, readPlanFile } from "../../harness/plan";

/** Whose nodes are deleted when their instances are gone, and who says so: `plan.json`. It holds no secret. */
export interface NodeCleanerPlan extends Ec2Place {
    /** The API as the agent's own machine reaches it: `https://127.0.0.1:6443`. */
    readonly apiServer: string;
    /** Regular expression of the whole names of nodes that Auto Scaling groups make: the instance's id comes first. */
    readonly namePattern: string;
    /** The label of nodes that are never deleted. */
    readonly controllerLabel: string;
}

export function readPlan(path: string): NodeCleanerPlan {
    return readPlanFile<NodeCleanerPlan>(path, planProblems);
}

/** What is wrong with a plan, each with its path. */
export function planProblems(plan: NodeCleanerPlan): string[] {
    const { apiServer, namePattern, controllerLabel } = plan;
    const checks: Check[] = [
        [isUrl("https", apiServer), "apiServer", "an https:// URL without a path", apiServer],
        ...ec2Checks(plan),
        [isWholePattern(namePattern), "namePattern", "a regular expression of whole names", namePattern],
        [isText(controllerLabel), "controllerLabel", "a label", controllerLabel],
    ];
    return problemsOf(checks);
}
