import { ec2Checks } from "../common/ec2-instances";
import { type Check, isText, isUrl, isWholePattern, problemsOf, readPlanFile } from "../common/read-plan";
import type { AdmittedControllers, NodeApproverPlan, NodePool, NodePools } from "./plan";

export function readPlan(path: string): NodeApproverPlan {
    return readPlanFile<NodeApproverPlan>(path, planProblems);
}

/** What is wrong with a plan, each with its path. */
export function planProblems({ apiServer, ...texts }: NodeApproverPlan): string[] {
    const fields = [
        "groupPrefix",
        "nodeGroupPrefix",
        "poolLabel",
        "controllerPool",
        "controllerLabel",
        "pools",
        "controllers",
        "fieldManager",
    ] as const;
    const checks: Check[] = [
        [isUrl("https", apiServer), "apiServer", "an https:// URL without a path", apiServer],
        ...fields.map((field): Check => [isText(texts[field]), field, "a text", texts[field]]),
    ];
    return problemsOf(checks);
}

/** Throws if the text is not that of pools: then no machine is admitted. */
export function parsePools(text: string | undefined): NodePools {
    const pools: NodePools = JSON.parse(text ?? "null");
    const problems = poolsProblems(pools);
    if (problems.length > 0) throw new Error(`pools.json: ${problems.join("; ")}`);
    return pools;
}

/** What is wrong with pools, each with its path. */
export function poolsProblems(given: NodePools): string[] {
    const { pools, instances } = given ?? {};
    const entries = Object.entries(pools ?? {});
    const needsInstances = entries.some(([, pool]) => "group" in pool);
    const checks: Check[] = [
        [entries.length > 0, "pools", "an object of one pool or more", pools],
        ...entries.map(([name, pool]): Check => [isPool(pool), `pools.${name}`, "nodes' names or a group", pool]),
        [!needsInstances || instances !== undefined, "instances", "given with groups", instances],
        ...(instances === undefined
            ? []
            : [
                  ...ec2Checks(instances, "instances."),
                  [
                      isWholePattern(instances.namePattern),
                      "instances.namePattern",
                      "a regular expression of whole names",
                      instances.namePattern,
                  ] as const,
                  [isText(instances.domain), "instances.domain", "a text", instances.domain] as const,
              ]),
    ];
    return problemsOf(checks);
}

function isPool(pool: NodePool): boolean {
    return "group" in pool ? isText(pool.group) : Array.isArray(pool.nodes) && pool.nodes.every(isText);
}

/** Throws if the text is not a list of names. */
export function parseControllers(text: string | undefined): AdmittedControllers {
    const names = JSON.parse(text ?? "null");
    if (!Array.isArray(names) || !names.every(isText)) {
        throw new Error(`controllers.json must be a list of names, got ${text ?? "nothing"}`);
    }
    return names;
}
