import { type Check, isText, isUrl, isWholePattern, problemsOf, readPlanFile } from "../common/read-plan";
import type { NodeApproverPlan } from "./plan";

export function readPlan(path: string): NodeApproverPlan {
    return readPlanFile<NodeApproverPlan>(path, planProblems);
}

/** What is wrong with a plan, each with its path. */
export function planProblems({ apiServer, poolLabel, pools }: NodeApproverPlan): string[] {
    const checks: Check[] = [
        [isUrl("https", apiServer), "apiServer", "an https:// URL without a path", apiServer],
        [isText(poolLabel), "poolLabel", "a label", poolLabel],
        [Object.keys(pools ?? {}).length > 0, "pools", "an object of one pool or more", pools],
        ...Object.entries(pools ?? {}).flatMap(([group, { pool, namePattern, max }]): Check[] => [
            [isText(pool), `pools.${group}.pool`, "a name", pool],
            [
                isWholePattern(namePattern),
                `pools.${group}.namePattern`,
                "a regular expression of whole names",
                namePattern,
            ],
            [Number.isInteger(max) && max > 0, `pools.${group}.max`, "a positive whole number", max],
        ]),
    ];
    return problemsOf(checks);
}
