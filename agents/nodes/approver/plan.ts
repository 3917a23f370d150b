import type { Ec2Place } from "../../../clients/aws/ec2-instances";
import { type Check, ec2Checks, isText, isUrl, isWholePattern, problemsOf, readPlanFile } from "../../harness/plan";

/** How the agent reaches the API, and where it reads what changes: `plan.json`. It holds no secret. */
export interface NodeApproverPlan {
    /** The API as the agent's own machine reaches it: `https://127.0.0.1:6443`. */
    readonly apiServer: string;
    /** Groups of those who have a pool's token begin with it; the pool's name follows. */
    readonly groupPrefix: string;
    /** Groups of those who have a machine's own token begin with it; the node's name follows. */
    readonly nodeGroupPrefix: string;
    /** The label that names a node's pool, and the pool of controllers. */
    readonly poolLabel: string;
    readonly controllerPool: string;
    /** The label of nodes that run the control plane. */
    readonly controllerLabel: string;
    /** ConfigMap of kube-system with {@link NodePools} as `pools.json`. */
    readonly pools: string;
    /** ConfigMap of kube-system with {@link AdmittedControllers} as `controllers.json`. */
    readonly controllers: string;
    /** Field manager of what the stack owns. */
    readonly fieldManager: string;
}

/** Which nodes there may be. It is read again for each request: pools change without a restart of the agent. */
export interface NodePools {
    /** By the pool's name. */
    readonly pools: Readonly<Record<string, NodePool>>;
    /** Where EC2 is asked about machines of groups. @default - no pool is a group */
    readonly instances?: PooledInstances;
}

/** Nodes that the stack names, or the machines of a group that its cloud names. */
export type NodePool = { readonly nodes: readonly string[] } | { readonly group: string };

export interface PooledInstances extends Ec2Place {
    /** Regular expression of the whole names of such nodes: the instance's id comes first. */
    readonly namePattern: string;
    /** What may follow the id: `.eu-central-1.compute.internal`. */
    readonly domain: string;
}

/** Names of the controllers whose etcd members the stack has seen join. */
export type AdmittedControllers = readonly string[];

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
