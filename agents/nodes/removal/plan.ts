import * as v from "valibot";
import type { EtcdClient } from "../../../clients/etcd/client";
import type { ApiClient } from "../../../clients/kubernetes/api-client";
import { absolutePath, httpsUrls, object, text, texts, timeouts, url } from "../../harness/plan";
import type * as common from "../../harness/steps";
import type { Patience } from "../../harness/wait";

const nodeGroups = object({
    /** Regular expression for the full names of their nodes. */
    namePattern: text("a pattern"),
    /** Names of the pools that stay or will be added. */
    desired: texts(),
});

/** Their nodes are removed only with their pool: which of a pool's machines stay is the cloud's decision. */
export type NodeGroups = v.InferOutput<typeof nodeGroups>;

export const planSchema = object({
    /** Name of the cluster: its nodes are `<cluster>-<pool>-<index>`. */
    cluster: text(),
    /** Names of all nodes that stay or will be added. An empty list is never intended: it would remove every node. */
    desired: texts("a list of at least one name", { least: 1 }),
    /** Pools whose machines scale, and whose node names come from the cloud. @default - none */
    groups: v.optional(nodeGroups),
    /** The API as the agent's own machine reaches it: `https://127.0.0.1:6443`. */
    apiServer: url("https"),
    /** The label that names a node's pool. */
    poolLabel: text("a label"),
    /** The label of nodes that run the control plane. */
    controllerLabel: text("a label"),
    etcd: object({
        /** Client URLs of the controllers that stay. */
        endpoints: httpsUrls(),
        /** Peer URLs of the same. */
        peerUrls: httpsUrls(),
        /** Absolute path of a member's certificates. */
        pki: absolutePath,
    }),
    /** Absolute path of a service account's `token` and `ca.crt`. */
    serviceAccount: absolutePath,
    /** Timeout of each step in seconds. @default - `defaultTimeouts` */
    timeouts: timeouts<StepName>(),
});

/** Plan of a node removal: the nodes that a cluster should have: `plan.json`. It contains no secrets. */
export type NodeRemovalPlan = v.InferOutput<typeof planSchema>;

/** The pool of controllers, as in their names and pool label. */
export const controllerPool = "controller";

/** The pool of the arbiter, likewise: a machine with a member of etcd, but no control plane. */
export const arbiterPool = "arbiter";

/**
 * Seconds. A drain may wait for disruption budgets and for pods to end, an apiserver for its requests. A checkpointer
 * reconciles every 15 s.
 */
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

/** Context of every step. */
export interface Run extends Patience {
    readonly plan: NodeRemovalPlan;
    readonly api: ApiClient;
    readonly etcd: EtcdClient;
}

export type Step = common.Step<StepName, Run>;

/** The steps of a node removal, in order, as named in the log. */
export const stepNames = [
    "find-nodes",
    "cordon",
    "drain",
    "forget-checkpoints",
    "release-control-plane",
    "move-leader",
    "remove-members",
    "delete-nodes",
] as const;

type StepName = (typeof stepNames)[number];
