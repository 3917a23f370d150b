import { isAbsolutePath, isUrl, readPlanFile } from "../common/read-plan";
import type { ServingApproverPlan } from "./plan";

export function readPlan(path: string): ServingApproverPlan {
    return readPlanFile<ServingApproverPlan>(path, planProblems);
}

/** What is wrong with a plan, each with its path. */
export function planProblems({ apiServer, machines }: ServingApproverPlan): string[] {
    const checks: [boolean, string, string, unknown][] = [
        [isUrl("https", apiServer), "apiServer", "an https:// URL without a path", apiServer],
        [isAbsolutePath(machines), "machines", "an absolute path", machines],
    ];
    return checks
        .filter(([isLegal]) => !isLegal)
        .map(([, path, legal, got]) => `${path} must be ${legal}, got ${JSON.stringify(got)}`);
}
