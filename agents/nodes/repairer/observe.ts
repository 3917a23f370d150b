import type { ApiClient } from "../../../clients/kubernetes/api-client";
import { ifFound } from "../../../clients/kubernetes/api-error";
import { isWithoutCni, leavingAnnotation } from "../../../clients/kubernetes/nodes";
import { type ConfigMap, condition, isReady, type Node, type With } from "../../../clients/kubernetes/objects";
import { WatchedList } from "../../../clients/kubernetes/watched-list";
import { type MembersStatus, statusConfigMap } from "../../etcd/keeper/status";
import { cordonAnnotation } from "../node-agent/plan";
import { memberLabel } from "../promoter/plan";
import type { NodeFacts, Observed } from "./decide";
import { type NodeRepairerPlan, repairAnnotation } from "./plan";
import { readRepairs, repairsConfig } from "./record";

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
    /** Since when each node has not been Ready as far as this agent observed, by UID: monotonic seconds. */
    #notReady: ReadonlyMap<string, number> = new Map();

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
        const notReady = all.filter(({ status }) => !isReady(status)).map(({ metadata }) => metadata.uid);
        this.#notReady = new Map(notReady.map((uid) => [uid, this.#notReady.get(uid) ?? seconds]));
        const nodes = all
            .filter(({ metadata }) => !(leavingAnnotation in (metadata.annotations ?? {})))
            .map((node) =>
                nodeFacts(node, this.plan, seconds - (this.#notReady.get(node.metadata.uid) ?? seconds), now),
            );
        const needsMembers = nodes.some(({ isController, isReady: isUp }) => isController && !isUp);
        const members = needsMembers ? await this.#members() : undefined;
        return { observed: { nodes, repairs: readRepairs(config), ...(members && { members }), paused, now }, config };
    }

    /** @returns undefined if the keeper knows nothing */
    async #members(): Promise<MembersStatus["members"] | undefined> {
        const config = await ifFound(this.api.call<ConfigMap>(`${configMaps}/${statusConfigMap}`));
        const text = config?.data?.members;
        if (text === undefined) return undefined;
        const { members, problem }: MembersStatus = JSON.parse(text);
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

/** @param observed - seconds for which this agent has observed it as not Ready */
export function nodeFacts(
    { metadata, spec, status }: KnownNode,
    { controllerLabel, poolLabel }: NodeRepairerPlan,
    observed: number,
    now: number,
): NodeFacts {
    const { name, uid, labels = {}, annotations = {} } = metadata;
    const ready = condition(status, "Ready");
    const since = Date.parse(ready?.lastTransitionTime ?? "");
    const hold = [
        [annotations[repairAnnotation] === "off", `its annotation ${repairAnnotation} turns repair off`],
        [cordonAnnotation in annotations, "its node-agent is changing or rebooting it"],
        [(spec?.taints ?? []).length > 0, "the autoscaler is removing it"],
        [isWithoutCni(ready?.message), "it waits for a CNI"],
    ].find(([isSo]) => isSo)?.[1];
    // The record of the API outlives this agent; its own clock covers one that is wrong.
    const lasted = Number.isNaN(since) ? 0 : (now - since) / 1000;
    return {
        ...{ name, uid },
        pool: labels[poolLabel] ?? "",
        isController: controllerLabel in labels || memberLabel in labels,
        isReady: isReady(status),
        notReadySeconds: isReady(status) || observed < leastObservedSeconds ? 0 : Math.max(observed, lasted),
        ...(typeof hold === "string" && { hold }),
    };
}
