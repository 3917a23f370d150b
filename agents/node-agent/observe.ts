import type { Pod } from "../checkpointer/pod";
import { endedByShutdown } from "../checkpointer/shutdown";
import { describeError } from "../common/api-error";
import { probe } from "../common/probe";
import { minorOf } from "../common/version";
import type { ApiView, NodeView } from "./api";
import { runs, type Sight } from "./decide";
import type { Kubelets } from "./kubelets";
import type { Kubelet, NodeAgentPlan } from "./plan";
import { podsToDrain } from "./pods";

export interface Observer {
    readonly plan: NodeAgentPlan;
    readonly api: ApiView;
    readonly kubelets: Kubelets;
    /** UID of the pod that this agent runs in. */
    readonly ownUid: string;
}

/** What one look at the node showed. */
export interface Observation {
    readonly sight: Sight;
    /** The Node, if the API tells. */
    readonly node?: NodeView;
    /** The pod that the agent runs in, if the API tells. */
    readonly own?: Pod;
    /** Pods to be evicted. */
    readonly toDrain: readonly Pod[];
    /** Pods that the machine's last shutdown left. */
    readonly ended: readonly Pod[];
    /** What the API could not be asked for. */
    readonly problem?: string;
}

/** What came of what was tried last. */
export interface Outcome {
    /** In which state an eviction left a pod, by its UID. */
    readonly evictions: ReadonlyMap<string, string>;
    readonly fetchProblem?: string;
}

/** Looks at the node, as the API and the kubelet tell, and at the disk. */
export async function observe(observer: Observer, { evictions, fetchProblem }: Outcome): Promise<Observation> {
    const { plan, api, kubelets, ownUid } = observer;
    let problem: string | undefined;
    const [view, unhealthy] = await Promise.all([
        Promise.all([api.node(), api.pods()]).catch((error) => {
            problem = describeError(error);
            return undefined;
        }),
        probe(plan.kubeletHealthz),
    ]);
    const [node, pods = []] = view ?? [];
    const wanted = wantedKubelet(plan, node);
    const selected = kubelets.selected();
    const isChanging = !("refusal" in wanted) && node !== undefined && !runs(wanted, node.version, selected);
    const toDrain = isChanging && isDrainNeeded(plan, node, wanted) ? podsToDrain(pods) : [];
    return {
        sight: {
            node: node ?? "unknown",
            wanted,
            selected,
            running: kubelets.running(),
            isHere: isChanging && (await kubelets.isHere(wanted)),
            ...(fetchProblem !== undefined && { fetchProblem }),
            apiVersion: isChanging ? await api.version() : undefined,
            left: toDrain.map(
                ({ metadata }) => `${metadata.namespace}/${metadata.name} ${stateOf(metadata, evictions)}`,
            ),
            isHealthy: unhealthy === undefined,
            pod: ownUid,
        },
        ...(node && { node }),
        own: pods.find(({ metadata }) => metadata.uid === ownUid),
        toDrain,
        ended: plan.removesEndedPods ? endedByShutdown(pods, node) : [],
        ...(problem !== undefined && { problem }),
    };
}

/** The kubelet that the plan wants on a node, or what its annotation names, out of those that are pinned. */
export function wantedKubelet(
    { wanted, kubelets, settings }: NodeAgentPlan,
    node: NodeView | undefined,
): Sight["wanted"] {
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
