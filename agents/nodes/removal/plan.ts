import type { EtcdClient } from "../../../clients/etcd/client";
import type { ApiClient } from "../../../clients/kubernetes/api-client";
import { type Check, isAbsolutePath, isText, isUrl, problemsOf, readPlanFile } from "../../harness/plan";
import type * as common from "../../harness/steps";
import type { Patience } from "../../harness/wait";

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

export function readPlan(path: string): NodeRemovalPlan {
    return readPlanFile<NodeRemovalPlan>(path, planProblems);
}

/** What is wrong with a plan, each with its path. */
export function planProblems(plan: NodeRemovalPlan): string[] {
    const { cluster, wanted, groups, apiServer, poolLabel, controllerLabel, etcd, serviceAccount } = plan;
    const urls = "a list of at least one https:// URL";
    const checks: Check[] = [
        [isText(cluster), "cluster", "a name", cluster],
        // Nobody wants a cluster without nodes: it would remove every one.
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

/** What every step gets. */
export interface Run extends Patience {
    readonly plan: NodeRemovalPlan;
    readonly api: ApiClient;
    readonly etcd: EtcdClient;
}

export type Step = common.Step<StepName, Run>;

/** The steps of removing nodes, in their order, as the log names them. */
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
