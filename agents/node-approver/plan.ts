import type { Ec2Place } from "../common/ec2-instances";

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
