import { type Check, isUrl, problemsOf, readPlanFile } from "../harness/plan";

/** Plan (`plan.json`) for rewriting an API's Secrets. It contains no secrets. */
export interface SecretsRewritePlan {
    /** The API as the agent's own machine reaches it: `https://127.0.0.1:6443`. */
    readonly apiServer: string;
    /** Number of Secrets per page. @default 500 */
    readonly pageSize?: number;
}

export function readPlan(path: string): SecretsRewritePlan {
    return readPlanFile<SecretsRewritePlan>(path, planProblems);
}

/** Everything wrong with a plan, each problem with its path. */
export function planProblems({ apiServer, pageSize = 500 }: SecretsRewritePlan): string[] {
    const checks: Check[] = [
        [isUrl("https", apiServer), "apiServer", "an https:// URL without a path", apiServer],
        [Number.isSafeInteger(pageSize) && pageSize > 0, "pageSize", "a positive integer", pageSize],
    ];
    return problemsOf(checks);
}
