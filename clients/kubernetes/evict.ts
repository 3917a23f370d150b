import type { Call } from "./api-client";
import { ApiError, describePassing, isNotFound } from "./api-error";

/** An eviction that is cut short may have taken of its budget for two minutes, and left the pod. */
const timeoutMilliseconds = 30_000;

/** Whatever asks the API. */
export interface Caller {
    call<T>(path: string, call?: Call): Promise<T>;
}

/** Asks for a pod's end, which its disruption budgets may refuse. Tells the state in which that leaves it. */
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
