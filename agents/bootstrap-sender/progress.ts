import type { ApiClient } from "../common/api-client";

interface DaemonSets {
    readonly items: readonly {
        readonly metadata: { readonly name: string };
        readonly status?: { readonly numberReady?: number; readonly desiredNumberScheduled?: number };
    }[];
}

/** How far a cluster is on its way to run itself, in one line. */
export async function progress(api: ApiClient): Promise<string> {
    const { items } = await api.call<DaemonSets>("/apis/apps/v1/namespaces/kube-system/daemonsets");
    const parts = items.map(({ metadata: { name }, status: { numberReady = 0, desiredNumberScheduled = 0 } = {} }) => {
        return `${name} ${numberReady}/${desiredNumberScheduled}`;
    });
    return parts.length === 0 ? "the temporary control plane serves" : `ready are ${parts.sort().join(", ")}`;
}
