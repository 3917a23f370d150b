import { addressAnnotation } from "../bootstrap/plan";
import { describeError } from "../common/api-error";
import type { ApiView, NodeView } from "./api";
import type { RuntimePod } from "./cri/runtime";
import type { Sight } from "./decide";
import { type Draft, draftOf } from "./draft";
import { doesServe } from "./endpoints";
import { NotCheckpointable } from "./not-checkpointable";
import { isCheckpointed, parentOf } from "./parent";
import type { CheckpointerPlan } from "./plan";
import { isCurrent, isReady, type Pod, restartsOf } from "./pod";
import { endedByShutdown } from "./shutdown";
import { standby } from "./standby";
import { activeCopies } from "./static-pods";
import type { Checkpoint, Store } from "./store";

/** What one look at the node showed. */
export interface Observation {
    readonly sights: ReadonlyMap<string, Sight>;
    readonly drafts: ReadonlyMap<string, Draft>;
    /** Why a parent's pod can't be saved. */
    readonly refusals: ReadonlyMap<string, string>;
    readonly isApiKnown: boolean;
    /** This node's own object, if the API has it. */
    readonly node?: NodeView;
    /** Pods that the machine's last shutdown left. */
    readonly ended: readonly Pod[];
    /** What the container runtime has, if it says. */
    readonly runtimePods?: readonly RuntimePod[];
    /** What could not be asked. */
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

/** Looks at the container runtime, the API, the disk, and each process that has an address of its own. */
export async function observe(observer: Observer): Promise<Observation> {
    const { plan, api, store } = observer;
    const problems: string[] = [];
    const ask = <T>(what: string, answer: Promise<T>): Promise<T | undefined> =>
        answer.catch((error) => {
            problems.push(`${what}: ${describeError(error)}`);
            return undefined;
        });
    const [runtimePods, view] = await Promise.all([
        ask("the container runtime", observer.runtime()),
        ask("the API", Promise.all([api.pods(), api.node()])),
    ]);
    const [apiPods, node] = view ?? [];
    const saved = new Map(store.all().map((checkpoint) => [checkpoint.parent, checkpoint]));
    const copies = activeCopies(plan.directories.staticPods);
    const listed = apiPods?.filter(({ metadata }) => isCheckpointed(metadata));
    const alive = runtimePods?.filter((pod) => pod.isAlive && isCheckpointed(pod));
    const parents = new Set([
        ...saved.keys(),
        ...copies.keys(),
        ...(listed ?? []).map(({ metadata }) => parentOf(metadata)),
        ...(alive ?? []).map(parentOf),
    ]);
    const drafts = new Map<string, Draft>();
    const refusals = new Map<string, string>();
    const sights = new Map<string, Sight>();
    await Promise.all(
        [...parents].map(async (parent) => {
            const checkpoint = saved.get(parent);
            const pods = alive?.filter((pod) => parentOf(pod) === parent);
            const own = listed?.filter(({ metadata }) => parentOf(metadata) === parent);
            const isSelf = parent === plan.self;
            const serving = isSelf ? new Set<string>() : await servingPods(pods ?? [], own ?? [], checkpoint);
            const newest = own?.filter(isCurrent).sort(byAge).at(-1);
            const draft = newest && tryDraft(observer, newest, isSelf, refusals);
            if (draft) drafts.set(parent, draft);
            const isOverlapping = (draft ?? checkpoint)?.overlaps ?? false;
            const needsApi = (draft ?? checkpoint)?.needsApi ?? false;
            const isProven =
                newest !== undefined &&
                (isSelf
                    ? newest.metadata.uid === observer.ownUid
                    : isReady(newest) && serving.has(newest.metadata.uid));
            sights.set(parent, {
                kind: isSelf ? "self" : isOverlapping ? "overlapping" : "exclusive",
                needsApi,
                saved: checkpoint?.generation,
                active: copies.get(parent),
                pod: pods === undefined ? "unknown" : pods.length > 0 ? "alive" : "absent",
                serves: pods === undefined ? "unknown" : serving.size > 0,
                isAsSaved: (pods ?? []).some(({ uid }) => uid === checkpoint?.uid),
                isLeaving: node?.isLeaving ?? false,
                api: await place(api, parent, own, checkpoint),
                draft: draft && {
                    generation: draft.generation,
                    isReady: isProven,
                    hasCrashed: restartsOf(newest!) > 0,
                    isSaved: draft.generation === checkpoint?.generation && draft.uid === checkpoint.uid,
                },
            });
        }),
    );
    return {
        sights,
        drafts,
        refusals,
        isApiKnown: apiPods !== undefined,
        node,
        ended: endedByShutdown(apiPods ?? [], node),
        runtimePods,
        problems,
    };
}

/** UIDs of the pods that serve. Who has no address to be asked at serves if it runs. */
async function servingPods(
    alive: readonly RuntimePod[],
    listed: readonly Pod[],
    checkpoint: Checkpoint | undefined,
): Promise<Set<string>> {
    const serving = await Promise.all(
        alive.map(async ({ uid, annotations, running }) => {
            const address = annotations[addressAnnotation];
            const spec = listed.find(({ metadata }) => metadata.uid === uid)?.spec;
            const endpoints =
                spec?.containers.flatMap(({ readinessProbe }) => readinessProbe?.httpGet ?? []) ??
                checkpoint?.endpoints;
            const serves = running.length > 0 && (address === undefined || (await doesServe(endpoints ?? [], address)));
            return serves ? [uid] : [];
        }),
    );
    return new Set(serving.flat());
}

async function place(
    api: ApiView,
    parent: string,
    pods: readonly Pod[] | undefined,
    checkpoint: Checkpoint | undefined,
): Promise<Sight["api"]> {
    if (pods === undefined) {
        return "unknown";
    }
    if (pods.some(isCurrent)) {
        return "listed";
    }
    try {
        return (await api.isWanted(parent.split("/")[0]!, checkpoint?.owner)) ? "owed" : "gone";
    } catch {
        return "unknown";
    }
}

function tryDraft({ plan }: Observer, pod: Pod, isSelf: boolean, refusals: Map<string, string>): Draft | undefined {
    // Its volumes may not be there yet, and nothing would be saved of it anyway.
    if (!isSelf && !isReady(pod)) {
        return undefined;
    }
    try {
        const draft = draftOf(pod, plan.directories.kubeletPods);
        return isSelf ? standby(draft, plan) : draft;
    } catch (error) {
        const isExplained = error instanceof NotCheckpointable;
        refusals.set(parentOf(pod.metadata), isExplained ? error.message : describeError(error));
        return undefined;
    }
}

function byAge(a: Pod, b: Pod): number {
    return (a.metadata.creationTimestamp ?? "") < (b.metadata.creationTimestamp ?? "") ? -1 : 1;
}
