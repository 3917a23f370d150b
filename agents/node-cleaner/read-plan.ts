import { ec2Checks } from "../common/ec2-instances";
import { type Check, isText, isUrl, isWholePattern, problemsOf, readPlanFile } from "../common/read-plan";
import type { NodeCleanerPlan } from "./plan";

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
