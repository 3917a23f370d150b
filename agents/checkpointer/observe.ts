import type { RuntimePod } from "../../clients/containerd/pods";
import { describeError } from "../../clients/kubernetes/api-error";
import type { NodePod } from "../../clients/kubernetes/kubelet-api";
import { addressAnnotation, isLoopbackAddress } from "../../clients/kubernetes/loopback";
import { type HttpGet, isReady } from "../../clients/kubernetes/objects";
import { isCurrent, restartsOf } from "../../clients/kubernetes/pods";
import { probe } from "../../clients/probe";
import type { ApiView, NodeView } from "./api";
import type { Observed } from "./decide";
import { type Draft, draftOf } from "./draft";
import { listedParentOf, parentOf } from "./parent";
import type { CheckpointerPlan } from "./plan";
import { isEndpoint, NotCheckpointable } from "./sanitise";
import { endedByShutdown } from "./shutdown";
import { standby } from "./standby";
import { activeCopies } from "./static-pods";
import type { Checkpoint, Store } from "./store";

/** Observations of one reconcile. */
export interface Observation {
    readonly allObserved: ReadonlyMap<string, Observed>;
    readonly drafts: ReadonlyMap<string, Draft>;
    /** Pods of parents listed by the API. */
    readonly listed: ReadonlyMap<string, readonly NodePod[]>;
    /** Why a parent's pod can't be saved. */
    readonly refusals: ReadonlyMap<string, string>;
    readonly isApiKnown: boolean;
    /** This node's own object, if the API has it. */
    readonly node?: NodeView;
    /** Pods left by the machine's last shutdown. */
    readonly ended: readonly NodePod[];
    /** Pods of the container runtime, if it answers. */
    readonly runtimePods?: readonly RuntimePod[];
    /** What could not be reached. */
    readonly problems: readonly string[];
}

export interface Observer {
    readonly plan: CheckpointerPlan;
    readonly api: ApiView;
    readonly runtime: () => Promise<readonly RuntimePod[]>;
    readonly store: Store;
    /** UID of the pod that this agent runs in. */
    readonly ownUid: string;
}

/**
 * Observes the container runtime, the API, the disk, and each process with its own address.
 *
 * @param isWatched - whether pods as a watch last reported them are enough
 */
export async function observe(observer: Observer, isWatched = false): Promise<Observation> {
    const { plan, api, store } = observer;
    const problems: string[] = [];
    const ask = <T>(what: string, answer: Promise<T>): Promise<T | undefined> =>
        answer.catch((error) => {
            problems.push(`${what}: ${describeError(error)}`);
            return undefined;
        });
    const [runtimePods, view] = await Promise.all([
        ask("the container runtime", observer.runtime()),
        ask("the API", Promise.all([api.pods(isWatched), api.node()])),
    ]);
    const [apiPods, node] = view ?? [];
    const hostView: HostView = {
        saved: new Map(store.all().map((checkpoint) => [checkpoint.parent, checkpoint])),
        copies: activeCopies(plan.directories.staticPods),
        listed: apiPods && byParent(apiPods, (pod) => listedParentOf(pod, plan)),
        alive: runtimePods && byParent(runtimePods, (pod) => (pod.isAlive ? parentOf(pod, plan) : undefined)),
        node,
    };
    const parents = new Set([
        ...hostView.saved.keys(),
        ...hostView.copies.keys(),
        ...store.damaged(),
        ...(hostView.listed?.keys() ?? []),
        ...(hostView.alive?.keys() ?? []),
    ]);
    const drafts = new Map<string, Draft>();
    const refusals = new Map<string, string>();
    const allObserved = new Map<string, Observed>();
    await Promise.all(
        [...parents].map(async (parent) => {
            try {
                const { observed, draft, refusal } = await observeParent(observer, parent, hostView);
                if (refusal !== undefined) refusals.set(parent, refusal);
                if (draft !== undefined) drafts.set(parent, draft);
                allObserved.set(parent, observed);
            } catch (error) {
                // A problem with one must not hide the others.
                problems.push(`pods of ${parent}: ${describeError(error)}`);
            }
        }),
    );
    return {
        allObserved,
        drafts,
        listed: hostView.listed ?? new Map(),
        refusals,
        isApiKnown: apiPods !== undefined,
        node,
        ended: endedByShutdown(apiPods ?? [], node),
        runtimePods,
        problems,
    };
}

/** Where every parent is looked up. */
interface HostView {
    readonly saved: ReadonlyMap<string, Checkpoint>;
    readonly copies: ReadonlyMap<string, string>;
    /** By parent. @default - the API does not answer */
    readonly listed?: ReadonlyMap<string, readonly NodePod[]>;
    /** By parent. @default - the container runtime does not answer */
    readonly alive?: ReadonlyMap<string, readonly RuntimePod[]>;
    /** @default - the API has none, or does not answer */
    readonly node?: NodeView;
}

function byParent<T>(pods: readonly T[], parentOfPod: (pod: T) => string | undefined): Map<string, T[]> {
    const found = new Map<string, T[]>();
    for (const pod of pods) {
        const parent = parentOfPod(pod);
        if (parent !== undefined) found.set(parent, [...(found.get(parent) ?? []), pod]);
    }
    return found;
}

interface ObservedParent {
    readonly observed: Observed;
    readonly draft?: Draft;
    readonly refusal?: string;
}

async function observeParent(
    observer: Observer,
    parent: string,
    { saved, copies, listed, alive, node }: HostView,
): Promise<ObservedParent> {
    const { plan } = observer;
    const checkpoint = saved.get(parent);
    const pods = alive && (alive.get(parent) ?? []);
    const own = listed && (listed.get(parent) ?? []);
    const isSelf = parent === plan.self;
    const specOf = (uid: string) => own?.find(({ metadata }) => metadata.uid === uid)?.spec;
    const containersOf = (uid: string) =>
        specOf(uid)?.containers.map(({ name }) => name) ??
        (uid === checkpoint?.uid ? observer.store.containers(parent) : []);
    const isWhole = ({ uid, running }: RuntimePod) =>
        running.length > 0 && containersOf(uid).every((each) => running.includes(each));
    const serving = isSelf ? new Set<string>() : await servingPods(pods ?? [], specOf, checkpoint, isWhole);
    const current = own?.filter(isCurrent).sort(byAge);
    const newest = current?.at(-1);
    const { draft, refusal } = newest ? tryDraft(observer, parent, newest, isSelf) : {};
    const isProven =
        newest !== undefined &&
        (isSelf ? newest.metadata.uid === observer.ownUid : isReady(newest.status) && serving.has(newest.metadata.uid));
    const isStaying = (uid: string) => current === undefined || current.some(({ metadata }) => metadata.uid === uid);
    const isUnplaced = listed !== undefined && !node?.hasRole && !node?.isLeaving;
    const { address, endpoints = [] } = checkpoint ?? {};
    const active = copies.get(parent);
    const damage = observer.store.damage(parent);
    const isCopyDamaged = active !== undefined && !observer.store.isWhole(parent, active);
    const isCopyAsked = (isUnplaced || isCopyDamaged) && active !== undefined && address !== undefined;
    const observed: Observed = {
        kind: isSelf ? "self" : ((draft ?? checkpoint)?.overlaps ?? false) ? "overlapping" : "exclusive",
        needsApi: (draft ?? checkpoint)?.needsApi ?? false,
        saved: checkpoint?.generation,
        active,
        ...(isCopyDamaged && { isCopyDamaged }),
        ...(damage.length > 0 && { hasDamage: true }),
        pod: stateOf(pods, isWhole),
        serves: pods === undefined ? "unknown" : [...serving].some(isStaying),
        isAsSaved: (pods ?? []).some(({ uid }) => uid === checkpoint?.uid),
        api: !plan.parents.includes(parent)
            ? "removed"
            : current === undefined
              ? "unknown"
              : current.length > 0
                ? "listed"
                : "owed",
        isUnplaced,
        isLeaving: node?.isLeaving ?? false,
        ...(isCopyAsked && { copyServes: await doesServe(endpoints, address) }),
        draft: draft && {
            generation: draft.generation,
            isReady: isProven,
            // What was saved before has proved itself: a power cut restarts containers, too.
            hasCrashed: restartsOf(newest!) > 0 && !damage.some(({ generation }) => generation === draft.generation),
            isSaved:
                draft.generation === checkpoint?.generation &&
                draft.uid === checkpoint.uid &&
                damage.every(({ generation }) => generation === active),
        },
    };
    return { observed, draft, refusal };
}

function stateOf(alive: readonly RuntimePod[] | undefined, isWhole: (pod: RuntimePod) => boolean): Observed["pod"] {
    if (alive === undefined) {
        return "unknown";
    }
    if (alive.length === 0) {
        return "absent";
    }
    return alive.some(isWhole) ? "alive" : "idle";
}

/** UIDs of the pods that serve. A pod without an address to probe serves if all of its containers run. */
async function servingPods(
    alive: readonly RuntimePod[],
    specOf: (uid: string) => NodePod["spec"] | undefined,
    checkpoint: Checkpoint | undefined,
    isWhole: (pod: RuntimePod) => boolean,
): Promise<Set<string>> {
    const serving = await Promise.all(
        alive.map(async (pod) => {
            const { uid, annotations, running } = pod;
            const address = annotations[addressAnnotation];
            const endpoints =
                specOf(uid)?.containers.flatMap(({ readinessProbe }) => readinessProbe?.httpGet ?? []) ??
                checkpoint?.endpoints;
            const serves =
                address === undefined
                    ? isWhole(pod)
                    : running.length > 0 && (await doesServe(endpoints ?? [], address));
            return serves ? [uid] : [];
        }),
    );
    return new Set(serving.flat());
}

function tryDraft(
    { plan }: Observer,
    parent: string,
    pod: NodePod,
    isSelf: boolean,
): Pick<ObservedParent, "draft" | "refusal"> {
    // Its volumes may not exist yet, and it would not be saved anyway.
    if (!isSelf && !isReady(pod.status)) {
        return {};
    }
    try {
        const draft = draftOf(pod, parent, plan.directories.kubeletPods);
        return { draft: isSelf ? standby(draft, plan) : draft };
    } catch (error) {
        return { refusal: error instanceof NotCheckpointable ? error.message : describeError(error) };
    }
}

function byAge(a: NodePod, b: NodePod): number {
    return (a.metadata.creationTimestamp ?? "") < (b.metadata.creationTimestamp ?? "") ? -1 : 1;
}

/** Whether a process serves on all of its own endpoints. Without any endpoint that can be probed it does not. */
async function doesServe(endpoints: readonly HttpGet[], address: string): Promise<boolean> {
    if (!isLoopbackAddress(address) || !endpoints.every(isEndpoint)) {
        return false;
    }
    const problems = await Promise.all(
        endpoints.map(({ scheme = "HTTP", port, path = "/" }) =>
            probe(`${scheme.toLowerCase()}://${address}:${port}${path}`),
        ),
    );
    return problems.every((problem) => problem === undefined);
}
