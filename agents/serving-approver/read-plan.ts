import { type Check, isAbsolutePath, isUrl, problemsOf, readPlanFile } from "../common/read-plan";
import type { ServingApproverPlan } from "./plan";

export function readPlan(path: string): ServingApproverPlan {
    return readPlanFile<ServingApproverPlan>(path, planProblems);
}

/** What is wrong with a plan, each with its path. */
export function planProblems({ apiServer, machines }: ServingApproverPlan): string[] {
    const checks: Check[] = [
        [isUrl("https", apiServer), "apiServer", "an https:// URL without a path", apiServer],
        [isAbsolutePath(machines), "machines", "an absolute path", machines],
    ];
    return problemsOf(checks);
}
