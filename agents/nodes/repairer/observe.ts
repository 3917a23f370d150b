import type { ApiClient } from "../../../clients/kubernetes/api-client";
import { isWithoutCni, leavingAnnotation } from "../../../clients/kubernetes/nodes";
import { type ConfigMap, condition, isReady, type Node, type With } from "../../../clients/kubernetes/objects";
import { WatchedList } from "../../../clients/kubernetes/watched-list";
import { type MembersStatus, reportedMembers } from "../../etcd/keeper/status";
import { cordonAnnotation } from "../node-agent/plan";
import { memberLabel } from "../promoter/plan";
import type { NodeFacts, Observed } from "./decide";
import { type NodeRepairerPlan, repairAnnotation } from "./plan";
import { type Repairs, readRepairs, repairsConfig } from "./record";

const configMaps = "/api/v1/namespaces/kube-system/configmaps";

export type Config = With<ConfigMap, "resourceVersion">;
export type KnownNode = With<Node, "uid">;

export interface Observation {
    readonly observed: Observed;
    readonly config: Config;
}

/** The autoscaler terminates its machine. */
const autoscalerTaint = "ToBeDeletedByClusterAutoscaler";

/** After a start of the agent, or of its connection, a node must have been observed as not Ready for this long. Unit: seconds. */
export const leastObservedSeconds = 60;

/** Watches the Nodes and the record. */
export class Observer {
    readonly #nodes: WatchedList<KnownNode>;
    readonly #configs: WatchedList<Config>;
    /** By UID of each node that is not Ready. */
    #notReady: ReadonlyMap<string, NotReady> = new Map();
    /** UIDs of nodes that this agent has observed as Ready. */
    #seenReady: ReadonlySet<string> = new Set();
    /**
     * When this agent first read each time in the record: monotonic seconds. Another agent wrote it by another clock, so
     * after a start everything counts as new, and a repair waits rather than comes early.
     */
    readonly #firstRead = new Map<string, number>();

    constructor(
        private readonly api: ApiClient,
        private readonly plan: NodeRepairerPlan,
    ) {
        this.#nodes = new WatchedList<KnownNode>(api, "/api/v1/nodes", (node) => keepNode(node, plan));
        const selector = `fieldSelector=${encodeURIComponent(`metadata.name=${repairsConfig}`)}`;
        this.#configs = new WatchedList<Config>(api, `${configMaps}?${selector}`);
    }

    /** @param seconds - of a monotonic clock */
    async observe(seconds: number, now: number, paused: ReadonlySet<string>): Promise<Observation> {
        const [config] = await this.#configs.read();
        if (config === undefined) throw new Error(`the ConfigMap ${repairsConfig} does not exist`);
        const all = await this.#nodes.read();
        this.#note(all, seconds, now);
        const nodes = all
            .filter(({ metadata }) => !(leavingAnnotation in (metadata.annotations ?? {})))
            .map((node) => nodeFacts(node, this.plan, notReadySeconds(this.#notReady.get(node.metadata.uid), seconds)));
        const needsMembers = nodes.some(({ isController, isReady: isUp }) => isController && !isUp);
        const members = needsMembers ? await this.#members() : undefined;
        const repairs = readRepairs(config);
        const secondsSince = this.#secondsSince(repairs, seconds);
        return { observed: { nodes, repairs, ...(members && { members }), paused, secondsSince }, config };
    }

    #secondsSince({ machines, replaced }: Repairs, seconds: number): Observed["secondsSince"] {
        const times = new Set([...Object.values(machines).map(({ since }) => since), ...replaced.map(({ at }) => at)]);
        for (const time of this.#firstRead.keys()) if (!times.has(time)) this.#firstRead.delete(time);
        for (const time of times) if (!this.#firstRead.has(time)) this.#firstRead.set(time, seconds);
        return (time) => seconds - (this.#firstRead.get(time) ?? seconds);
    }

    #note(all: readonly KnownNode[], seconds: number, now: number): void {
        const notReady = all.filter(({ status }) => !isReady(status));
        const first = ({ metadata: { uid }, status }: KnownNode): NotReady => {
            // The API's record outlives this agent. But its clock may be another one.
            const since = Date.parse(condition(status, "Ready")?.lastTransitionTime ?? "");
            const before = this.#seenReady.has(uid) || Number.isNaN(since) ? 0 : (now - since) / 1000;
            return { since: seconds, before: Math.max(0, before) };
        };
        this.#notReady = new Map(
            notReady.map((node) => [node.metadata.uid, this.#notReady.get(node.metadata.uid) ?? first(node)]),
        );
        const uids = all.map(({ metadata }) => metadata.uid);
        this.#seenReady = new Set(uids.filter((uid) => this.#seenReady.has(uid) || !this.#notReady.has(uid)));
    }

    /** @returns undefined if the keeper knows nothing */
    async #members(): Promise<MembersStatus["members"] | undefined> {
        const { members = [], problem } = (await reportedMembers(this.api)) ?? {};
        return problem === undefined && members.length > 0 ? members : undefined;
    }
}

/** What {@link nodeFacts} reads. */
function keepNode({ metadata, spec, status }: KnownNode, { controllerLabel, poolLabel }: NodeRepairerPlan): KnownNode {
    const { name, uid, labels = {}, annotations = {} } = metadata;
    const some = (all: Readonly<Record<string, string>>, ...keys: string[]) =>
        Object.fromEntries(keys.flatMap((key) => (key in all ? [[key, all[key]!]] : [])));
    const ready = condition(status, "Ready");
    return {
        metadata: {
            ...{ name, uid },
            labels: some(labels, controllerLabel, poolLabel, memberLabel),
            annotations: some(annotations, leavingAnnotation, cordonAnnotation, repairAnnotation),
        },
        spec: { taints: (spec?.taints ?? []).filter(({ key }) => key === autoscalerTaint) },
        status: { conditions: ready ? [ready] : [] },
    };
}

interface NotReady {
    /** Since when, as far as this agent observed: monotonic seconds. */
    readonly since: number;
    /** For how long before, by the API's record. Unit: seconds. */
    readonly before: number;
}

function notReadySeconds(notReady: NotReady | undefined, seconds: number): number {
    if (notReady === undefined) return 0;
    const { since, before } = notReady;
    return seconds - since < leastObservedSeconds ? 0 : seconds - since + before;
}

function nodeFacts(
    { metadata, spec, status }: KnownNode,
    { controllerLabel, poolLabel }: NodeRepairerPlan,
    notReadySeconds: number,
): NodeFacts {
    const { name, uid, labels = {}, annotations = {} } = metadata;
    const ready = condition(status, "Ready");
    const hold = [
        [annotations[repairAnnotation] === "off", `its annotation ${repairAnnotation} turns repair off`],
        [cordonAnnotation in annotations, "its node-agent is changing or rebooting it"],
        [(spec?.taints ?? []).length > 0, "the autoscaler is removing it"],
        [isWithoutCni(ready?.message), "it waits for a CNI"],
    ].find(([isSo]) => isSo)?.[1];
    return {
        ...{ name, uid },
        pool: labels[poolLabel] ?? "",
        isController: controllerLabel in labels || memberLabel in labels,
        isReady: isReady(status),
        notReadySeconds,
        ...(typeof hold === "string" && { hold }),
    };
}
