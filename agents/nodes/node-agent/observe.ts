import { describeError } from "../../../clients/kubernetes/api-error";
import { isReady, minorOf } from "../../../clients/kubernetes/nodes";
import type { Pod } from "../../../clients/kubernetes/pod";
import type { RebootTurn } from "../../../clients/kubernetes/reboot-turn";
import { probe } from "../../../clients/probe";
import { endedByShutdown } from "../../checkpointer/shutdown";
import { isEvictable } from "../removal/pods";
import type { ApiView, NodeView } from "./api";
import type { CniPluginsSight } from "./cni-plugins/decide";
import { type CniPlugins, wantedCniPlugins } from "./cni-plugins/plugins";
import { type ContainerRuntimeSeen, isRuntimeAsWanted, lookAtRuntime } from "./container-runtime/observe";
import type { ContainerRuntimes } from "./container-runtime/runtimes";
import { runs, type Sight } from "./kubelet/decide";
import type { Kubelets } from "./kubelet/kubelets";
import { kubeletPodApp } from "./layout";
import type { Kubelet, NodeAgentPlan, Source } from "./plan";
import type { RebootSight } from "./reboot/decide";
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

/** What is seen for a reboot, but for what is known of the kubelet's change. */
export type RebootSeen = Omit<RebootSight, "isKubeletAsWanted">;

/** What is seen of CNI plugins, but for what is known of what was tried. */
export type CniPluginsSeen = Pick<CniPluginsSight, "node" | "wanted" | "installed" | "isHere" | "rebootOf" | "pod">;

/** What one look at the node showed. */
export interface Observation {
    readonly sight: Sight;
    readonly reboot: RebootSeen;
    readonly cniPlugins: CniPluginsSeen;
    /** @default - the node is to have what its image brought */
    readonly runtime?: ContainerRuntimeSeen;
    /** Kubelet, CNI plugins and container runtime are the wanted ones. */
    readonly isAsWanted: boolean;
    /** The Node, if the API tells. */
    readonly node?: NodeView;
    /** The pod that the agent runs in, if the API tells. */
    readonly own?: Pod;
    /** This node's pods, if the API tells. */
    readonly pods: readonly Pod[];
    /** Pods to be evicted. */
    readonly toDrain: readonly Pod[];
    /** Pods that the machine's last shutdown left. */
    readonly ended: readonly Pod[];
    /** What the API could not be asked for. */
    readonly problem?: string;
}

/** What came of what was tried last. */
interface Outcome {
    /** In which state an eviction left a pod, by its UID. */
    readonly evictions: ReadonlyMap<string, string>;
    readonly fetchProblem?: string;
    /** The machine is taken away. @default false */
    readonly isInterrupted?: boolean;
}

/** Looks at the node, as the API and the kubelet tell, and at the disk. */
export async function observe(observer: Observer, outcome: Outcome): Promise<Observation> {
    const { plan, api, kubelets, ownUid } = observer;
    const { evictions, fetchProblem, isInterrupted = false } = outcome;
    let problem: string | undefined;
    const [view, unhealthy] = await Promise.all([
        lookAtApi(observer).catch((error) => {
            problem = describeError(error);
            return undefined;
        }),
        probe(plan.kubeletHealthz),
    ]);
    const { node, pods = [], wanted = wantedKubelet(plan, undefined), isChanging = false, turn } = view ?? {};
    const isHealthy = unhealthy === undefined;
    const look = observer.runtimes && (await lookAtRuntime({ plan, runtimes: observer.runtimes }, node, pods));
    const reboot = rebootSeen(observer, { node, turn, isHealthy });
    const isDrainedForKubelet =
        node !== undefined && !("refusal" in wanted) && isChanging
            ? isDrainNeeded(plan, node, wanted)
            : plan.hasOtherNodes && reboot.until !== undefined;
    const rebootOf = turn && turn.node !== api.nodeName ? turn.node : undefined;
    const cniPlugins = { ...(await lookAtPlugins(observer, node)), ...(rebootOf !== undefined && { rebootOf }) };
    const isDrained = isDrainedForKubelet || (look?.isDrained ?? false);
    const toDrain = isDrained || isInterrupted ? podsToDrain(pods) : [];
    const left = toDrain.map(
        ({ metadata }) => `${metadata.namespace}/${metadata.name} ${stateOf(metadata, evictions)}`,
    );
    const seenForRuntime = {
        node: node ?? ("unknown" as const),
        left: look?.isDrained ? left : [],
        isHealthy,
        ...(rebootOf !== undefined && { rebootOf }),
        pod: ownUid,
    };
    return {
        sight: {
            node: node ?? "unknown",
            wanted,
            selected: kubelets.selected(),
            running: kubelets.running(hasKubeletPod(pods)),
            isHere: isChanging && !("refusal" in wanted) && (await kubelets.isHere(wanted)),
            ...(fetchProblem !== undefined && { fetchProblem }),
            apiVersion: isChanging ? await api.version() : undefined,
            left,
            ...(rebootOf !== undefined && { rebootOf }),
            isHealthy,
            issuance: kubelets.issuance(),
            pod: ownUid,
        },
        reboot: { ...reboot, left },
        cniPlugins: { ...cniPlugins, node: node ?? "unknown", pod: ownUid },
        ...(look && { runtime: { ...look, ...seenForRuntime } }),
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

/** What the API has of the node. Whose turn it is to reboot is asked where that matters. */
async function lookAtApi(observer: Observer) {
    const { plan, api, kubelets, host } = observer;
    const [node, pods] = await Promise.all([api.node(), api.pods()]);
    const wanted = wantedKubelet(plan, node);
    const isRunning = !("refusal" in wanted) && runs(wanted, node.version, kubelets.selected());
    const isChanging = !("refusal" in wanted) && (!isRunning || kubelets.issuance() === "others");
    const isRuntimeWanted = observer.runtimes !== undefined && !isRuntimeAsWanted(plan, observer.runtimes, node);
    const isConcerned = isChanging || !arePluginsAsWanted(observer, node) || isRuntimeWanted || host.isRebootWanted();
    const turn = plan.rebootsOs && isConcerned ? await api.turn() : undefined;
    return { node, pods, wanted, isChanging, turn };
}

async function lookAtPlugins(observer: Observer, node: NodeView | undefined) {
    const { plan, cniPlugins } = observer;
    const wanted = wantedCniPlugins(plan, node?.cniPlugins);
    const installed = cniPlugins.installed();
    const isConcerned = installed !== undefined && !("refusal" in wanted) && !arePluginsAsWanted(observer, node);
    const isHere = isConcerned && (await areHere(cniPlugins, [installed, wanted]));
    return { wanted, ...(installed && { installed }), isHere };
}

async function areHere(cniPlugins: CniPlugins, sources: readonly Source[]): Promise<boolean> {
    const each = await Promise.all(sources.map((source) => cniPlugins.isHere(source)));
    return each.every(Boolean);
}

/** What is not known is left as it is. */
function arePluginsAsWanted({ plan, cniPlugins }: Observer, node: NodeView | undefined): boolean {
    const wanted = wantedCniPlugins(plan, node?.cniPlugins);
    const installed = cniPlugins.installed();
    return !("refusal" in wanted) && (installed === undefined || installed.sha256 === wanted.sha256);
}

function rebootSeen(
    { plan, api, host, ownUid }: Observer,
    { node, turn, isHealthy }: { node?: NodeView; turn?: RebootTurn; isHealthy: boolean },
): Omit<RebootSeen, "left"> {
    const boot = host.boot();
    const isOurs = boot !== undefined && turn?.node === api.nodeName && turn.request === boot;
    return {
        isOn: plan.rebootsOs ?? false,
        ...(boot !== undefined && { boot }),
        isWanted: host.isRebootWanted(),
        node: node ?? "unknown",
        isHealthy,
        ...(isOurs && turn.until !== undefined && { until: turn.until }),
        pod: ownUid,
        time: Date.now() / 1000,
    };
}

/** The kubelet that the plan wants on a node, or what its annotation names, out of those that are pinned. */
function wantedKubelet({ wanted, kubelets, settings }: NodeAgentPlan, node: NodeView | undefined): Sight["wanted"] {
    const version = node?.override ?? wanted;
    const source = Object.hasOwn(kubelets, version) ? kubelets[version] : undefined;
    return source
        ? { version, ...source, settings: settings.id }
        : { refusal: `the node's annotation must name one of ${Object.keys(kubelets).join(", ")}, got ${version}` };
}

/** Kubernetes supports no change of a kubelet's minor version under pods. Where nobody could take them, they stay. */
function isDrainNeeded({ hasOtherNodes }: NodeAgentPlan, { version }: NodeView, wanted: Kubelet): boolean {
    return hasOtherNodes && minorOf(version).join() !== minorOf(wanted.version).join();
}

function stateOf({ uid, deletionTimestamp }: Pod["metadata"], evictions: Outcome["evictions"]): string {
    return deletionTimestamp === undefined ? (evictions.get(uid) ?? "is to go") : "is ending";
}

/** Whether the node's kubelet is a pod now, and not the host's: it is Ready when it has the lock. */
export function hasKubeletPod(pods: readonly Pod[]): boolean {
    return pods.some(
        ({ metadata: { namespace, labels }, status }) =>
            namespace === "kube-system" && labels?.["k8s-app"] === kubeletPodApp && isReady(status),
    );
}

/**
 * Which pods have to go before a kubelet of another minor version takes over.
 *
 * What nobody would make again stays: a restart of the kubelet leaves it alone, and an eviction would be its end.
 */
export function podsToDrain(pods: readonly Pod[]): readonly Pod[] {
    return pods.filter((pod) => isEvictable(pod) && pod.metadata.ownerReferences?.some(({ controller }) => controller));
}
