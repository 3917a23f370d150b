import { createHash } from "node:crypto";
import type { Caller } from "./api-client";
import { ApiError, describePassing, isNotFound } from "./api-error";
import type { ApiObject, Metadata, Pod, With } from "./objects";

/** On a mirror pod: how the API shows a static pod. */
export const mirrorAnnotation = "kubernetes.io/config.mirror";

/** Whether a kubelet runs it from a file. */
export function isStatic({ metadata: { annotations = {} } }: ApiObject): boolean {
    return mirrorAnnotation in annotations;
}

/** Whether it succeeded or failed, and will not run again. */
export function hasEnded({ status }: Pick<Pod, "status">): boolean {
    return status?.phase === "Succeeded" || status?.phase === "Failed";
}

/** Neither ended nor being deleted. */
export function isCurrent(pod: Pick<Pod, "metadata" | "status">): boolean {
    return pod.metadata.deletionTimestamp === undefined && !hasEnded(pod);
}

export function restartsOf({ status }: Pick<Pod, "status">): number {
    return (status?.containerStatuses ?? []).reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);
}

/** When the first of its running containers was started: milliseconds since 1970. */
export function startOf({ status }: Pick<Pod, "status">): number {
    const times = (status?.containerStatuses ?? []).map(({ state }) => Date.parse(state?.running?.startedAt ?? ""));
    return Math.min(...times);
}

/**
 * A static pod with a UID derived from its contents.
 *
 * Otherwise the kubelet derives the UID from the pod as it parses it: a newer kubelet understands more fields and would
 * restart every static pod. A fixed UID would hide changes from the kubelet.
 */
export function withUid<T extends { readonly metadata: object }>(pod: T): T {
    const { uid: _, ...metadata } = pod.metadata as Partial<Metadata>;
    const hash = createHash("sha256").update(JSON.stringify({ ...pod, metadata }));
    return { ...pod, metadata: { ...metadata, uid: hash.digest("hex").slice(0, 32) } };
}

/** A timed-out eviction may have used up its budget for two minutes without removing the pod. */
const timeoutMilliseconds = 30_000;

/** Requests a pod's eviction, which disruption budgets may refuse. Returns the resulting state. */
export async function evict(api: Caller, { metadata }: With<ApiObject, "namespace">): Promise<string> {
    const { namespace, name } = metadata;
    const body = { apiVersion: "policy/v1", kind: "Eviction", metadata: { namespace, name } };
    try {
        await api.call(`/api/v1/namespaces/${namespace}/pods/${name}/eviction`, {
            method: "POST",
            body,
            timeoutMilliseconds,
        });
        return "is evicted";
    } catch (error) {
        if (isNotFound(error)) {
            return "has ended";
        }
        const causes = error instanceof ApiError ? error.causes : [];
        return `stays: ${[describePassing(error), ...causes].join(" ")}`;
    }
}
