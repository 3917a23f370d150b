import type { StepName } from "./step-names";

/** Which nodes a cluster is to have: `plan.json`. It holds no secret. */
export interface NodeRemovalPlan {
    /** Name of the cluster: its nodes are `<cluster>-<pool>-<index>`. */
    readonly cluster: string;
    /** Names of all nodes that stay or are yet to come. */
    readonly wanted: readonly string[];
    /** Pools whose nodes the cloud names, as machines come and go by themselves. @default - there are none */
    readonly groups?: NodeGroups;
    /** The API as the agent's own machine reaches it: `https://127.0.0.1:6443`. */
    readonly apiServer: string;
    /** The label that names a node's pool. */
    readonly poolLabel: string;
    /** The label of nodes that run the control plane. */
    readonly controllerLabel: string;
    readonly etcd: {
        /** Client URLs of the controllers that stay. */
        readonly endpoints: readonly string[];
        /** Peer URLs of the same. */
        readonly peerUrls: readonly string[];
        /** Absolute path of a member's certificates. */
        readonly pki: string;
    };
    /** Absolute path of a service account's `token` and `ca.crt`. */
    readonly serviceAccount: string;
    /** Seconds that a step may take. @default - `defaultTimeouts` */
    readonly timeouts?: Partial<Record<StepName, number>>;
}

/** A node of theirs leaves with its pool alone: which of a pool's machines stay, the cloud decides. */
export interface NodeGroups {
    /** Regular expression of their nodes' whole names. */
    readonly namePattern: string;
    /** Names of the pools that stay or are yet to come. */
    readonly wanted: readonly string[];
}

/** The pool of controllers: the part of their names, and the value of their pool label. */
export const controllerPool = "controller";

/** Seconds. A drain may wait for disruption budgets and for pods to end; a released apiserver for its requests. A checkpointer looks every 15 s. */
export const defaultTimeouts: Record<StepName, number> = {
    "find-nodes": 60,
    cordon: 60,
    drain: 300,
    "forget-checkpoints": 120,
    "release-control-plane": 180,
    "move-leader": 60,
    "remove-members": 180,
    "delete-nodes": 60,
};
