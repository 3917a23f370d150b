import { ec2Checks } from "../common/ec2-instances";
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

function instancesChecks(instances: InstancesPlan): Check[] {
    const { namePattern, groups } = instances;
    const areTexts = Array.isArray(groups) && groups.every(isText);
    return [
        ...ec2Checks(instances, "instances."),
        [isWholePattern(namePattern), "instances.namePattern", "a regular expression of whole names", namePattern],
        [areTexts, "instances.groups", "names", groups],
    ];
}
