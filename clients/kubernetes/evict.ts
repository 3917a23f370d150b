import type { Call } from "./api-client";
import { ApiError, describePassing, isNotFound } from "./api-error";

/** A timed-out eviction may have used up its budget for two minutes without removing the pod. */
const timeoutMilliseconds = 30_000;

/** A client of the API. */
export interface Caller {
    call<T>(path: string, call?: Call): Promise<T>;
}

/** Requests a pod's eviction, which disruption budgets may refuse. Returns the resulting state. */
export async function evict(
    api: Caller,
    { metadata: { namespace, name } }: { readonly metadata: { readonly namespace: string; readonly name: string } },
): Promise<string> {
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
