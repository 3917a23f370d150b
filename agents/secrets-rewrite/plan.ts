import { type Check, isUrl, problemsOf, readPlanFile } from "../harness/plan";

/** Which API has its Secrets written again: `plan.json`. It holds no secret. */
export interface SecretsRewritePlan {
    /** The API as the agent's own machine reaches it: `https://127.0.0.1:6443`. */
    readonly apiServer: string;
    /** How many Secrets are asked for at a time. @default 500 */
    readonly pageSize?: number;
}

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
