import { describeError } from "../../../clients/kubernetes/api-error";
import type { NodePod } from "../../../clients/kubernetes/kubelet-api";
import { minorOf } from "../../../clients/kubernetes/nodes";
import { isReady } from "../../../clients/kubernetes/objects";
import type { RebootTurn } from "../../../clients/kubernetes/reboot-turn";
import { probe } from "../../../clients/probe";
import { endedByShutdown } from "../../checkpointer/shutdown";
import { isEvictable } from "../removal/pods";
import type { ApiView, NodeView } from "./api";
import type { CniPluginsObservation } from "./cni-plugins/decide";
import { type CniPlugins, desiredCniPlugins } from "./cni-plugins/plugins";
import { type ContainerRuntimeOnNode, isDesiredRuntime, observeRuntime } from "./container-runtime/observe";
import type { ContainerRuntimes } from "./container-runtime/runtimes";
import { type Observed, runs } from "./kubelet/decide";
import type { Kubelets } from "./kubelet/kubelets";
import { kubeletPodApp } from "./layout";
import type { Kubelet, NodeAgentPlan } from "./plan";
import type { RebootObservation } from "./reboot/decide";
import type { Host } from "./reboot/host";

export interface Observer {
    readonly plan: NodeAgentPlan;
    readonly api: ApiView;
    readonly kubelets: Kubelets;
    readonly cniPlugins: CniPlugins;
    /** @default - the plan names none */
    readonly runtimes?: ContainerRuntimes;
    readonly host: Host;
    /** UID of the pod that this agent runs in. */
    readonly ownUid: string;
}

/** Observations for a reboot, without the kubelet's change. */
export type RebootOnNode = Omit<RebootObservation, "isKubeletAsWanted">;

/** Observations of CNI plugins, without the results of attempts. */
export type CniPluginsOnNode = Omit<CniPluginsObservation, "fetchProblem" | "swapped" | "isKubeletChanging">;

/** Observations of one reconcile. */
export interface Observation {
    readonly observed: Observed;
    readonly reboot: RebootOnNode;
    readonly cniPlugins: CniPluginsOnNode;
    /** @default - the node is to keep the runtime of its image */
    readonly runtime?: ContainerRuntimeOnNode;
    /** Kubelet, CNI plugins and container runtime are the desired ones. */
    readonly isAsWanted: boolean;
    /** The Node, if the API answers. */
    readonly node?: NodeView;
    /** The pod that the agent runs in, if the API answers. */
    readonly own?: NodePod;
    /** This node's pods, if the API answers. */
    readonly pods: readonly NodePod[];
    /** Pods to be evicted. */
    readonly toDrain: readonly NodePod[];
    /** Pods left by the machine's last shutdown. */
    readonly ended: readonly NodePod[];
    /** Why the API could not be queried. */
    readonly problem?: string;
}

/**
 * Observes the node through the API and the kubelet, and the disk.
 *
 * @param evictions - state of pods after an eviction, by UID
 * @param isInterrupted - whether the machine is being taken away
 * @param isWatched - whether the state that a watch last reported is enough
 */
export async function observe(
    observer: Observer,
    evictions: ReadonlyMap<string, string>,
    isInterrupted = false,
    isWatched = false,
): Promise<Observation> {
    const { plan, api, kubelets, ownUid } = observer;
    let problem: string | undefined;
    const [view, unhealthy] = await Promise.all([
        observeApi(observer, isWatched).catch((error) => {
            problem = describeError(error);
            return undefined;
        }),
        probe(plan.kubeletHealthz),
    ]);
    const { node, pods = [], wanted = wantedKubelet(plan, undefined), isChanging = false, turn } = view ?? {};
    const isHealthy = unhealthy === undefined;
    const look = observer.runtimes && (await observeRuntime({ plan, runtimes: observer.runtimes }, node, pods));
    const reboot = rebootSeen(observer, turn);
    const isDrainedForKubelet =
        node !== undefined && !("refusal" in wanted) && isChanging
            ? isDrainNeeded(plan, node, wanted) || (plan.hasOtherNodes && kubelets.reassigns(wanted))
            : plan.hasOtherNodes && reboot.until !== undefined;
    const rebootOf = turn && turn.node !== api.nodeName ? turn.node : undefined;
    const isDrained = isDrainedForKubelet || (look?.isDrained ?? false);
    const toDrain = isDrained || isInterrupted ? podsToDrain(pods) : [];
    const left = toDrain.map(
        ({ metadata }) => `${metadata.namespace}/${metadata.name} ${stateOf(metadata, evictions)}`,
    );
    const seen = {
        node: node ?? ("unknown" as const),
        isHealthy,
        ...(rebootOf !== undefined && { rebootOf }),
        pod: ownUid,
    };
    return {
        observed: {
            ...seen,
            wanted,
            selected: kubelets.selected(),
            running: kubelets.running(hasKubeletPod(pods)),
            isHere: isChanging && !("refusal" in wanted) && (await kubelets.isHere(wanted)),
            apiVersion: isChanging ? await api.version() : undefined,
            left,
            issuance: kubelets.issuance(),
            ...(!isHealthy && { lastError: kubelets.lastError() }),
        },
        reboot: { ...seen, ...reboot, left },
        cniPlugins: { ...seen, ...(await observePlugins(observer, node)) },
        ...(look && { runtime: { ...look, ...seen, left: look.isDrained ? left : [] } }),
        isAsWanted:
            node !== undefined &&
            !("refusal" in wanted) &&
            !isChanging &&
            arePluginsAsWanted(observer, node) &&
            (look?.isAsWanted ?? true),
        ...(node && { node }),
        pods,
        own: pods.find(({ metadata }) => metadata.uid === ownUid),
        toDrain,
        ended: plan.removesEndedPods ? endedByShutdown(pods, node) : [],
        ...(problem !== undefined && { problem }),
    };
}

/** Whether there is nothing to do, as far as can be observed. */
export function isQuiet({ isAsWanted, node, observed, reboot, ended }: Observation): boolean {
    const isAlone = node?.isReady && !node.isOurs && !node.isLeaving && node.asked === undefined;
    return isAlone === true && isAsWanted && observed.isHealthy && !reboot.isWanted && ended.length === 0;
}

/** The API's data about the node. The reboot turn is read only if needed. */
async function observeApi(observer: Observer, isWatched: boolean) {
    const { plan, api, kubelets, host } = observer;
    const [node, pods] = await Promise.all([api.node(isWatched), api.pods(isWatched)]);
    const wanted = wantedKubelet(plan, node);
    const isRunning = !("refusal" in wanted) && runs(wanted, node.version, kubelets.selected());
    const isChanging = !("refusal" in wanted) && (!isRunning || kubelets.issuance() === "others");
    const isRuntimeWanted = observer.runtimes !== undefined && !isDesiredRuntime(plan, observer.runtimes, node);
    const isConcerned = isChanging || !arePluginsAsWanted(observer, node) || isRuntimeWanted || host.isRebootWanted();
    const turn = plan.rebootsOs && isConcerned ? await api.turn() : undefined;
    return { node, pods, wanted, isChanging, turn };
}

async function observePlugins(observer: Observer, node: NodeView | undefined) {
    const { plan, cniPlugins } = observer;
    const wanted = desiredCniPlugins(plan, node?.cniPlugins);
    const installed = cniPlugins.installed();
    const isConcerned = installed !== undefined && !("refusal" in wanted) && !arePluginsAsWanted(observer, node);
    const isHere = isConcerned && (await cniPlugins.isHere(installed)) && (await cniPlugins.isHere(wanted));
    return { wanted, ...(installed && { installed }), isHere };
}

/** Unrecorded plugins are left unchanged. */
function arePluginsAsWanted({ plan, cniPlugins }: Observer, node: NodeView | undefined): boolean {
    const wanted = desiredCniPlugins(plan, node?.cniPlugins);
    const installed = cniPlugins.installed();
    return !("refusal" in wanted) && (installed === undefined || installed.sha256 === wanted.sha256);
}

function rebootSeen({ plan, api, host }: Observer, turn: RebootTurn | undefined) {
    const boot = host.boot();
    const isOurs = boot !== undefined && turn?.node === api.nodeName && turn.request === boot;
    return {
        isOn: plan.rebootsOs ?? false,
        ...(boot !== undefined && { boot }),
        isWanted: host.isRebootWanted(),
        ...(isOurs && turn.until !== undefined && { until: turn.until }),
        time: Date.now() / 1000,
    };
}

/** The desired kubelet of a node: that in its annotation or in the plan, which must be pinned. */
function wantedKubelet({ wanted, kubelets, settings }: NodeAgentPlan, node: NodeView | undefined): Observed["wanted"] {
    const version = node?.override ?? wanted;
    const source = Object.hasOwn(kubelets, version) ? kubelets[version] : undefined;
    return source
        ? { version, ...source, settings: settings.id }
        : {
              refusal: `the node's kubelet version annotation must be one of ${Object.keys(kubelets).join(", ")} (got ${version})`,
          };
}

/**
 * Kubernetes does not support changing a kubelet's minor version under running pods. If no other node could take them,
 * they stay.
 */
function isDrainNeeded({ hasOtherNodes }: NodeAgentPlan, { version }: NodeView, wanted: Kubelet): boolean {
    return hasOtherNodes && minorOf(version).join() !== minorOf(wanted.version).join();
}

function stateOf({ uid, deletionTimestamp }: NodePod["metadata"], evictions: ReadonlyMap<string, string>): string {
    return deletionTimestamp === undefined ? (evictions.get(uid) ?? "to be evicted") : "terminating";
}

/** Whether the node's kubelet runs as a pod rather than on the host: the pod is Ready once it holds the lock. */
export function hasKubeletPod(pods: readonly NodePod[]): boolean {
    return pods.some(
        ({ metadata: { namespace, labels }, status }) =>
            namespace === "kube-system" && labels?.["k8s-app"] === kubeletPodApp && isReady(status),
    );
}

/**
 * Pods to evict before a kubelet of another minor version takes over.
 *
 * A pod without a controller stays: a kubelet restart does not affect it, and an eviction would be final.
 */
export function podsToDrain(pods: readonly NodePod[]): readonly NodePod[] {
    return pods.filter((pod) => isEvictable(pod) && pod.metadata.ownerReferences?.some(({ controller }) => controller));
}
