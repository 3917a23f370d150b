import { type ApiClient, list, patch } from "../../clients/kubernetes/api-client";
import { isOlderMinor } from "../../clients/kubernetes/minor";
import type { ApiObject, Pod } from "../../clients/kubernetes/objects";
import type { Cluster } from "../../cluster/model";
import type { UpgradeProblem } from "../../cluster/upgrades/problem";
import {
    desiredFloor,
    givenUp,
    newestMinor,
    readableBy,
    readableByAnnotation,
    rollbackProblems,
} from "../../cluster/upgrades/rollback";
import { type AppliedApiserver, apiserver, versionOf } from "./running";

const namespace = "/api/v1/namespaces/kube-system";

/**
 * The oldest minor version that can read everything that is stored. Pods that are not ready count too: they may have
 * written before they failed.
 */
export async function oldestReader(api: ApiClient): Promise<string | undefined> {
    const [pods, { metadata }] = await Promise.all([
        list<Pod>(api, `${namespace}/pods?labelSelector=k8s-app%3D${apiserver}`),
        api.call<Partial<ApiObject>>(namespace),
    ]);
    const recorded = metadata?.annotations?.[readableByAnnotation];
    return newestMinor([...(recorded === undefined ? [] : [recorded]), ...pods.flatMap(readableByPod)]);
}

function readableByPod({ spec }: Pod): string[] {
    const version = versionOf(spec, apiserver);
    const { command = [] } = spec.containers.find(({ name }) => name === apiserver) ?? {};
    return version === undefined ? [] : [readableBy(version, command)];
}

/** What a change means for the way back. */
export interface WayBack {
    /** What a preview says. */
    readonly notice?: string;
    readonly problems: readonly UpgradeProblem[];
    /** The version to record, because flags no longer show afterwards what is stored. @default - they still do */
    readonly record?: string;
}

/** @param applied - kube-apiserver's last configuration */
export async function wayBack(api: ApiClient, cluster: Cluster, applied: AppliedApiserver): Promise<WayBack> {
    const appliedFloor = readableBy(applied.version, applied.flags);
    const notice = givenUp(cluster, appliedFloor);
    const stored = isOlderMinor(desiredFloor(cluster), appliedFloor) ? await oldestReader(api) : undefined;
    if (stored === undefined) return { notice, problems: [] };
    return { problems: rollbackProblems(cluster, stored), record: stored };
}

/** Records the oldest minor version that can read everything, for later checks. */
export async function recordReadableBy(api: ApiClient, minor: string): Promise<void> {
    await patch(api, namespace, "merge", { metadata: { annotations: { [readableByAnnotation]: minor } } });
}

/** Before an upgrade that the guard may take back: no flag shows then what the newer version has stored. */
export async function recordStoring(api: ApiClient, cluster: Cluster): Promise<void> {
    const stored = await oldestReader(api);
    const minor = newestMinor([desiredFloor(cluster), ...(stored === undefined ? [] : [stored])]);
    if (minor !== undefined) await recordReadableBy(api, minor);
}
