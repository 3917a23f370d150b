import * as v from "valibot";
import { statusAnnotation, statusTimeAnnotation } from "../../../agents/checkpointer/plan";
import { isRolledOut } from "../../../clients/kubernetes/daemon-sets";
import { internalAddress, kubeletVersion } from "../../../clients/kubernetes/nodes";
import {
    condition,
    type DaemonSet,
    type Deployment,
    isReady,
    type Lease,
    type Node,
} from "../../../clients/kubernetes/objects";
import { arbiterLabel, controllerLabel, poolLabel } from "../../../cluster/labels";
import { paths } from "../../../cluster/paths";
import { plainVersion, versionOfImage } from "../../../cluster/upgrades/version";
import {
    type CheckpointFacts,
    type CheckpointReport,
    componentOf,
    type LeaderFacts,
    type NodeFacts,
    type WorkloadFacts,
} from "../facts";

export function nodeFacts(node: Node): NodeFacts {
    const { metadata, spec, status } = node;
    const unready = isReady(status)
        ? undefined
        : (condition(status, "Ready")?.message ?? "its kubelet has not reported yet");
    return {
        name: metadata.name,
        address: internalAddress(node),
        isController: controllerLabel in (metadata.labels ?? {}),
        ...(arbiterLabel in (metadata.labels ?? {}) && { isArbiter: true }),
        isReady: unready === undefined,
        problem: unready,
        isCordoned: spec?.unschedulable === true,
        kubelet: plainVersion(kubeletVersion(node)),
        pool: metadata.labels?.[poolLabel],
    };
}

/** Types of the conditions that are true, except for Ready. `judge/nodes.ts` says which of them are findings. */
export function conditionFacts({ status }: Node): string[] {
    const found = (status?.conditions ?? []).filter(({ type, status }) => type !== "Ready" && status === "True");
    return found.map(({ type }) => type);
}

/** The leader according to a lease read at this time: milliseconds since 1970. */
export function leaderFacts({ metadata, spec = {} }: Lease, now: number): LeaderFacts {
    return {
        component: metadata.name,
        // `<host name>_<random>`.
        node: spec.holderIdentity?.replace(/_[^_]*$/, "") || undefined,
        ageSeconds: secondsSince(spec.renewTime, now),
        leaseSeconds: spec.leaseDurationSeconds ?? 15,
    };
}

/** From this number of nodes on, the pods of a DaemonSet without problems are not listed. */
const many = 50;

/** Apps whose pods need not be listed, because their DaemonSets' status says enough: a pod of each is on every node. */
export function unlistedApps(daemonSets: readonly DaemonSet[]): string[] {
    const apps = [...new Set(daemonSets.map(appOf))].filter((app) => app !== "");
    return apps.filter((app) => {
        const own = daemonSets.filter((set) => appOf(set) === app);
        const pods = own.reduce((sum, { status }) => sum + (status?.desiredNumberScheduled ?? 0), 0);
        return pods >= many && own.every(isRolledOut);
    });
}

function appOf({ spec }: DaemonSet): string {
    return spec?.selector?.matchLabels?.["k8s-app"] ?? "";
}

export function workloadFacts(daemonSets: readonly DaemonSet[], deployments: readonly Deployment[]): WorkloadFacts[] {
    const unlisted = unlistedApps(daemonSets);
    return [
        ...daemonSets.map((set) => {
            const { metadata, spec, status } = set;
            const isUnlisted = unlisted.includes(appOf(set));
            const component = spec?.template.spec.containers.find(({ name }) => componentOf(name) !== undefined);
            const version = isUnlisted && component ? versionOfImage(component.image) : undefined;
            return {
                kind: "DaemonSet" as const,
                name: metadata.name,
                ...(appOf(set) !== "" && { app: appOf(set) }),
                desired: status?.desiredNumberScheduled ?? 0,
                present: status?.currentNumberScheduled ?? 0,
                ...(isUnlisted && { isUnlisted }),
                ...(version && { version }),
            };
        }),
        ...deployments.map(({ metadata, spec, status }) => ({
            kind: "Deployment" as const,
            name: metadata.name,
            desired: spec?.replicas ?? 1,
            present: status?.replicas ?? 0,
        })),
    ];
}

/** By namespace and name of the pod's owner. */
const status = v.record(
    v.string(),
    v.object({
        checkpoint: v.optional(v.object({ savedAt: v.string() })),
        refused: v.optional(v.string()),
        damaged: v.optional(v.array(v.string())),
    }),
);

/** Parses the status of a checkpointer; empty if it is not valid. */
export function checkpointFacts(node: string, reported: unknown): CheckpointFacts[] {
    const parsed = v.safeParse(status, reported);
    return Object.entries(parsed.success ? parsed.output : {}).map(([parent, { checkpoint, refused, damaged }]) => ({
        node,
        component: parent.replace(/^.*\//, ""),
        savedAt: checkpoint?.savedAt,
        refused,
        ...(damaged && { damaged: damaged.map((each) => `${paths.checkpoints}/${parent}/${each}`) }),
    }));
}

/** The same, from a Node's annotation. */
export function annotatedCheckpoints(node: string, annotation: string | undefined): CheckpointFacts[] {
    try {
        return annotation === undefined ? [] : checkpointFacts(node, JSON.parse(annotation));
    } catch {
        return [];
    }
}

/** Seconds in which the checkpointer of a new controller may not have reported yet. */
const newSeconds = 600;

/** When each controller's checkpointer last reported. */
export function checkpointReports(nodes: readonly Node[], now: number): CheckpointReport[] {
    return nodes.flatMap(({ metadata: { name, labels = {}, annotations = {}, creationTimestamp } }) => {
        if (!(controllerLabel in labels)) return [];
        if (!(statusAnnotation in annotations)) {
            return secondsSince(creationTimestamp, now) < newSeconds ? [] : [{ node: name }];
        }
        return [{ node: name, ageSeconds: secondsSince(annotations[statusTimeAnnotation], now) }];
    });
}

/** Whole seconds from an RFC 3339 time to another in milliseconds since 1970; 0 if the first is unknown. */
export function secondsSince(moment: string | undefined, now: number): number {
    const then = Date.parse(moment ?? "");
    return Number.isNaN(then) ? 0 : Math.max(0, Math.round((now - then) / 1000));
}
