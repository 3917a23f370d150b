import {
    type Check,
    isAbsolutePath,
    isText,
    isUrl,
    isWholePattern,
    problemsOf,
    readPlanFile,
} from "../common/read-plan";
import type { InstancesPlan, ServingApproverPlan } from "./plan";

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

function instancesChecks({ ec2, region, namePattern, groups }: InstancesPlan): Check[] {
    const areTexts = Array.isArray(groups) && groups.every(isText);
    return [
        [isUrl("https", ec2), "instances.ec2", "an https:// URL without a path", ec2],
        [isText(region), "instances.region", "a name", region],
        [isWholePattern(namePattern), "instances.namePattern", "a regular expression of whole names", namePattern],
        [areTexts, "instances.groups", "names", groups],
    ];
}
