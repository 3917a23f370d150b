import type { EtcdClient } from "../../../clients/etcd/client";
import type { ApiClient } from "../../../clients/kubernetes/api-client";
import { type Check, isAbsolutePath, isText, isUrl, problemsOf, readPlanFile } from "../../harness/plan";
import type * as common from "../../harness/steps";
import type { Patience } from "../../harness/wait";

/** Plan of a node removal: the nodes that a cluster should have: `plan.json`. It contains no secrets. */
export interface NodeRemovalPlan {
    /** Name of the cluster: its nodes are `<cluster>-<pool>-<index>`. */
    readonly cluster: string;
    /** Names of all nodes that stay or will be added. */
    readonly wanted: readonly string[];
    /** Pools whose machines scale, and whose node names come from the cloud. @default - none */
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
    /** Timeout of each step in seconds. @default - `defaultTimeouts` */
    readonly timeouts?: Partial<Record<StepName, number>>;
}

/** Their nodes are removed only with their pool: which of a pool's machines stay is the cloud's decision. */
export interface NodeGroups {
    /** Regular expression for the full names of their nodes. */
    readonly namePattern: string;
    /** Names of the pools that stay or will be added. */
    readonly wanted: readonly string[];
}

/** The pool of controllers, as in their names and pool label. */
export const controllerPool = "controller";

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

export function readPlan(path: string): NodeRemovalPlan {
    return readPlanFile<NodeRemovalPlan>(path, planProblems);
}

/** Everything wrong with a plan, each problem with its path. */
export function planProblems(plan: NodeRemovalPlan): string[] {
    const { cluster, wanted, groups, apiServer, poolLabel, controllerLabel, etcd, serviceAccount } = plan;
    const urls = "a list of at least one https:// URL";
    const checks: Check[] = [
        [isText(cluster), "cluster", "a name", cluster],
        // An empty list is never intended: it would remove every node.
        [isList(wanted, isText), "wanted", "a list of at least one name", wanted],
        [groups === undefined || isText(groups.namePattern), "groups.namePattern", "a pattern", groups?.namePattern],
        [groups === undefined || isNames(groups.wanted), "groups.wanted", "a list of names", groups?.wanted],
        [isUrl("https", apiServer), "apiServer", "an https:// URL without a path", apiServer],
        [isText(poolLabel), "poolLabel", "a label", poolLabel],
        [isText(controllerLabel), "controllerLabel", "a label", controllerLabel],
        [isList(etcd?.endpoints, isHttps), "etcd.endpoints", urls, etcd?.endpoints],
        [isList(etcd?.peerUrls, isHttps), "etcd.peerUrls", urls, etcd?.peerUrls],
        [isAbsolutePath(etcd?.pki), "etcd.pki", "an absolute path", etcd?.pki],
        [isAbsolutePath(serviceAccount), "serviceAccount", "an absolute path", serviceAccount],
    ];
    return problemsOf(checks);
}

function isHttps(value: unknown): boolean {
    return isUrl("https", value);
}

function isNames(value: unknown): boolean {
    return Array.isArray(value) && value.every(isText);
}

function isList(value: unknown, isItem: (item: unknown) => boolean): boolean {
    return Array.isArray(value) && value.length > 0 && value.every(isItem);
}

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
