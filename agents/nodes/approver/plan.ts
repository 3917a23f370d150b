import type { Ec2Place } from "../../../clients/aws/ec2-instances";
import { type Check, ec2Checks, isText, isUrl, isWholePattern, problemsOf, readPlanFile } from "../../harness/plan";

/**
 * The approver's plan: how it reaches the API, and where it reads what changes: `plan.json`. It contains no secrets.
 */
export interface NodeApproverPlan {
    /** The API as the agent's own machine reaches it: `https://127.0.0.1:6443`. */
    readonly apiServer: string;
    /** Prefix of the group of a pool token's holders, followed by the pool's name. */
    readonly groupPrefix: string;
    /** Prefix of the group of a machine token's holder, followed by the node's name. */
    readonly nodeGroupPrefix: string;
    /** The label with a node's pool, and the name of the controllers' pool. */
    readonly poolLabel: string;
    readonly controllerPool: string;
    /** The label of nodes that run the control plane. */
    readonly controllerLabel: string;
    /** ConfigMap of kube-system with {@link NodePools} as `pools.json`. */
    readonly pools: string;
    /** ConfigMap of kube-system with {@link AdmittedControllers} as `controllers.json`. */
    readonly controllers: string;
    /** Field manager of the stack's fields. */
    readonly fieldManager: string;
}

/** The allowed nodes. Read again for each request: pools change without a restart of the agent. */
export interface NodePools {
    /** By the pool's name. */
    readonly pools: Readonly<Record<string, NodePool>>;
    /** Where to query EC2 for instances of groups. @default - no pool is a group */
    readonly instances?: PooledInstances;
}

/** Nodes named by the stack, or the machines of a group, which are named by its cloud. */
export type NodePool = { readonly nodes: readonly string[] } | { readonly group: string };

export interface PooledInstances extends Ec2Place {
    /** Regular expression for the full names of such nodes: the instance ID comes first. */
    readonly namePattern: string;
    /** What may follow the ID: `.eu-central-1.compute.internal`. */
    readonly domain: string;
}

/** Names of the controllers whose etcd members the stack has seen join. */
export type AdmittedControllers = readonly string[];

export function readPlan(path: string): NodeApproverPlan {
    return readPlanFile<NodeApproverPlan>(path, planProblems);
}

/** Everything wrong with a plan, each problem with its path. */
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
        ...fields.map((field): Check => [isText(texts[field]), field, "a non-empty string", texts[field]]),
    ];
    return problemsOf(checks);
}

/** Throws if the text is not a valid list of pools: then no machine is admitted. */
export function parsePools(text: string | undefined): NodePools {
    const pools: NodePools = JSON.parse(text ?? "null");
    const problems = poolsProblems(pools);
    if (problems.length > 0) throw new Error(`pools.json: ${problems.join("; ")}`);
    return pools;
}

/** Everything wrong with pools, each problem with its path. */
export function poolsProblems(given: NodePools): string[] {
    const { pools, instances } = given ?? {};
    const entries = Object.entries(pools ?? {});
    const needsInstances = entries.some(([, pool]) => "group" in pool);
    const checks: Check[] = [
        [entries.length > 0, "pools", "an object with at least one pool", pools],
        ...entries.map(([name, pool]): Check => [isPool(pool), `pools.${name}`, "node names or a group", pool]),
        [!needsInstances || instances !== undefined, "instances", "set if there are groups", instances],
        ...(instances === undefined
            ? []
            : [
                  ...ec2Checks(instances, "instances."),
                  [
                      isWholePattern(instances.namePattern),
                      "instances.namePattern",
                      "a regular expression from ^ to $",
                      instances.namePattern,
                  ] as const,
                  [isText(instances.domain), "instances.domain", "a non-empty string", instances.domain] as const,
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
