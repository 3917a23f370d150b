import { describeError } from "../../../clients/kubernetes/api-error";
import type { NodePod } from "../../../clients/kubernetes/kubelet-api";
import { minorOf } from "../../../clients/kubernetes/minor";
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
export type RebootOnNode = Omit<RebootObservation, "isKubeletAsDesired">;

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
    readonly isAsDesired: boolean;
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
    const { node, pods = [], desired = desiredKubelet(plan, undefined), isChanging = false, turn } = view ?? {};
    const isHealthy = unhealthy === undefined;
    const runtime = observer.runtimes && (await observeRuntime({ plan, runtimes: observer.runtimes }, node, pods));
    const reboot = observeReboot(observer, turn);
    const isDrainedForKubelet =
        node !== undefined && !("refusal" in desired) && isChanging
            ? isDrainNeeded(plan, node, desired) || (plan.hasOtherNodes && kubelets.reassigns(desired))
            : plan.hasOtherNodes && reboot.until !== undefined;
    const rebootOf = turn && turn.node !== api.nodeName ? turn.node : undefined;
    const isDrained = isDrainedForKubelet || (runtime?.isDrained ?? false);
    const toDrain = isDrained || isInterrupted ? podsToDrain(pods) : [];
    const left = toDrain.map(
        ({ metadata }) => `${metadata.namespace}/${metadata.name} ${stateOf(metadata, evictions)}`,
    );
    const common = {
        node: node ?? ("unknown" as const),
        isHealthy,
        ...(rebootOf !== undefined && { rebootOf }),
        pod: ownUid,
    };
    return {
        observed: {
            ...common,
            desired,
            selected: kubelets.selected(),
            running: kubelets.running(hasKubeletPod(pods)),
            isHere: isChanging && !("refusal" in desired) && (await kubelets.isHere(desired)),
            apiVersion: isChanging ? await api.version() : undefined,
            left,
            issuance: kubelets.issuance(),
            ...(!isHealthy && { lastError: kubelets.lastError() }),
        },
        reboot: { ...common, ...reboot, left },
        cniPlugins: { ...common, ...(await observePlugins(observer, node)) },
        ...(runtime && { runtime: { ...runtime, ...common, left: runtime.isDrained ? left : [] } }),
        isAsDesired:
            node !== undefined &&
            !("refusal" in desired) &&
            !isChanging &&
            arePluginsAsDesired(observer, node) &&
            (runtime?.isAsDesired ?? true),
        ...(node && { node }),
        pods,
        own: pods.find(({ metadata }) => metadata.uid === ownUid),
        toDrain,
        ended: plan.removesEndedPods ? endedByShutdown(pods, node) : [],
        ...(problem !== undefined && { problem }),
    };
}

/** Whether there is nothing to do, as far as can be observed. */
export function isQuiet({ isAsDesired, node, observed, reboot, ended }: Observation): boolean {
    const isAlone = node?.isReady && !node.isOurs && !node.isLeaving && node.asked === undefined;
    return isAlone === true && isAsDesired && observed.isHealthy && !reboot.isRequested && ended.length === 0;
}

/** The API's data about the node. The reboot turn is read only if needed. */
async function observeApi(observer: Observer, isWatched: boolean) {
    const { plan, api, kubelets, host } = observer;
    const [node, pods] = await Promise.all([api.node(isWatched), api.pods(isWatched)]);
    const desired = desiredKubelet(plan, node);
    const isRunning = !("refusal" in desired) && runs(desired, node.version, kubelets.selected());
    const isChanging = !("refusal" in desired) && (!isRunning || kubelets.issuance() === "others");
    const isRuntimeOutdated = observer.runtimes !== undefined && !isDesiredRuntime(plan, observer.runtimes, node);
    const isConcerned =
        isChanging || !arePluginsAsDesired(observer, node) || isRuntimeOutdated || host.isRebootRequested();
    const turn = plan.rebootsOs && isConcerned ? await api.turn() : undefined;
    return { node, pods, desired, isChanging, turn };
}

async function observePlugins(observer: Observer, node: NodeView | undefined) {
    const { plan, cniPlugins } = observer;
    const desired = desiredCniPlugins(plan, node?.cniPlugins);
    const installed = cniPlugins.installed();
    const isConcerned = installed !== undefined && !("refusal" in desired) && !arePluginsAsDesired(observer, node);
    const isHere = isConcerned && (await cniPlugins.isHere(installed)) && (await cniPlugins.isHere(desired));
    return { desired, ...(installed && { installed }), isHere };
}

/** Unrecorded plugins are left unchanged. */
function arePluginsAsDesired({ plan, cniPlugins }: Observer, node: NodeView | undefined): boolean {
    const desired = desiredCniPlugins(plan, node?.cniPlugins);
    const installed = cniPlugins.installed();
    return !("refusal" in desired) && (installed === undefined || installed.sha256 === desired.sha256);
}

function observeReboot({ plan, api, host }: Observer, turn: RebootTurn | undefined) {
    const boot = host.boot();
    const isOurs = boot !== undefined && turn?.node === api.nodeName && turn.request === boot;
    return {
        isOn: plan.rebootsOs ?? false,
        ...(boot !== undefined && { boot }),
        isRequested: host.isRebootRequested(),
        ...(isOurs && turn.until !== undefined && { until: turn.until }),
        time: Date.now() / 1000,
    };
}

/** The desired kubelet of a node: that in its annotation or in the plan, which must be pinned. */
function desiredKubelet(
    { desired, kubelets, settings }: NodeAgentPlan,
    node: NodeView | undefined,
): Observed["desired"] {
    const version = node?.override ?? desired;
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
function isDrainNeeded({ hasOtherNodes }: NodeAgentPlan, { version }: NodeView, desired: Kubelet): boolean {
    return hasOtherNodes && minorOf(version).join() !== minorOf(desired.version).join();
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
