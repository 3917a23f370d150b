import * as v from "valibot";
import { byName, ec2Place, flag, object, planProblems, text, texts, url, wholePattern } from "../../harness/plan";

const name = text("a non-empty string");

export const planSchema = object({
    /** The API as the agent's own machine reaches it: `https://127.0.0.1:6443`. */
    apiServer: url("https"),
    /** Prefix of the group of a pool token's holders, followed by the pool's name. */
    groupPrefix: name,
    /** Prefix of the group of a machine token's holder, followed by the node's name. */
    nodeGroupPrefix: name,
    /** The label with a node's pool, and the name of the controllers' pool. */
    poolLabel: name,
    controllerPool: name,
    /** The label of nodes that run the control plane. */
    controllerLabel: name,
    /** ConfigMap of kube-system with {@link NodePools} as `pools.json`. */
    pools: name,
    /** ConfigMap of kube-system with {@link AdmittedControllers} as `controllers.json`. */
    controllers: name,
    /**
     * ConfigMap of kube-system with who is a controller: one that was demoted or replaced gets no role back.
     * @default - there are no candidates for controllers
     */
    record: v.optional(name),
    /** Names of the candidates: those recorded as controllers get their role back. @default - none */
    candidates: v.optional(texts("a list of names")),
    /** Field manager of the stack's fields. */
    fieldManager: name,
    /** Whether it approves renewals, because Kubernetes' own approver does not. @default false */
    renews: v.optional(flag),
});

/**
 * The approver's plan: how it reaches the API, and where it reads what changes: `plan.json`. It contains no secrets.
 */
export type NodeApproverPlan = v.InferOutput<typeof planSchema>;

/** Nodes named by the stack, or the machines of a group, which are named by its cloud. */
export type NodePool = { readonly nodes: readonly string[] } | { readonly group: string };

function isPool(pool: NodePool | null): boolean {
    if (pool === null || typeof pool !== "object") return false;
    return "group" in pool ? v.is(text(), pool.group) : v.is(texts(), pool.nodes);
}

const pooledInstances = object({
    ...ec2Place,
    /** Regular expression for the full names of such nodes: the instance ID comes first. */
    namePattern: wholePattern,
    /** What may follow the ID: `.eu-central-1.compute.internal`. */
    domain: name,
});

export type PooledInstances = v.InferOutput<typeof pooledInstances>;

const atLeastOne = "an object with at least one pool";

export const poolsSchema = v.pipe(
    object({
        /** By the pool's name. */
        pools: v.pipe(
            byName(
                v.custom<NodePool>((pool) => isPool(pool as NodePool), "node names or a group"),
                atLeastOne,
            ),
            v.check((pools) => Object.keys(pools).length > 0, atLeastOne),
        ),
        /** Where to query EC2 for instances of groups. @default - no pool is a group */
        instances: v.optional(pooledInstances),
    }),
    v.forward(
        v.partialCheck(
            [["pools"], ["instances"]],
            ({ pools, instances }) =>
                instances !== undefined || Object.values(pools).every((pool) => !("group" in pool)),
            "set if there are groups",
        ),
        ["instances"],
    ),
);

/** The allowed nodes. Read again for each request: pools change without a restart of the agent. */
export type NodePools = v.InferOutput<typeof poolsSchema>;

/** Names of the controllers whose etcd members the stack has observed joining. */
export type AdmittedControllers = readonly string[];

/** Throws if the text is not a valid list of pools: then no machine is admitted. */
export function parsePools(text: string | undefined): NodePools {
    const pools: NodePools = JSON.parse(text ?? "null");
    const problems = planProblems(pools, poolsSchema);
    if (problems.length > 0) throw new Error(`pools.json: ${problems.join("; ")}`);
    return pools;
}

/** Throws if the text is not a list of names. */
export function parseControllers(text: string | undefined): AdmittedControllers {
    const names = JSON.parse(text ?? "null");
    if (!v.is(texts(), names)) throw new Error(`controllers.json must be a list of names (got ${text ?? "nothing"})`);
    return names;
}
