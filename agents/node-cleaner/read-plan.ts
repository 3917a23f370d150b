import { type Check, isText, isUrl, isWholePattern, problemsOf, readPlanFile } from "../common/read-plan";
import type { NodeCleanerPlan } from "./plan";

export function readPlan(path: string): NodeCleanerPlan {
    return readPlanFile<NodeCleanerPlan>(path, planProblems);
}

/** What is wrong with a plan, each with its path. */
export function planProblems({ apiServer, ec2, region, namePattern, controllerLabel }: NodeCleanerPlan): string[] {
    const checks: Check[] = [
        [isUrl("https", apiServer), "apiServer", "an https:// URL without a path", apiServer],
        [isUrl("https", ec2), "ec2", "an https:// URL without a path", ec2],
        [isText(region), "region", "a name", region],
        [isWholePattern(namePattern), "namePattern", "a regular expression of whole names", namePattern],
        [isText(controllerLabel), "controllerLabel", "a label", controllerLabel],
    ];
    return problemsOf(checks);
}
