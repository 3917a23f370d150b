import { type Check, isUrl, problemsOf, readPlanFile } from "../common/read-plan";
import type { SecretsRewritePlan } from "./plan";

export function readPlan(path: string): SecretsRewritePlan {
    return readPlanFile<SecretsRewritePlan>(path, planProblems);
}

/** What is wrong with a plan, each with its path. */
export function planProblems({ apiServer, pageSize = 500 }: SecretsRewritePlan): string[] {
    const checks: Check[] = [
        [isUrl("https", apiServer), "apiServer", "an https:// URL without a path", apiServer],
        [Number.isSafeInteger(pageSize) && pageSize > 0, "pageSize", "a positive whole number", pageSize],
    ];
    return problemsOf(checks);
}
