import { type ApiClient, metadataOnly } from "../../clients/kubernetes/api-client";
import { ifFound } from "../../clients/kubernetes/api-error";
import type { ApiObject } from "../../clients/kubernetes/objects";
import { alphaApis, type StoredObjects, storedVersion } from "../../cluster/upgrades/stored-alpha";
import type { AppliedApiserver } from "./running";

interface ApiResources {
    readonly resources: readonly {
        readonly name: string;
        readonly kind: string;
        readonly namespaced: boolean;
        readonly storageVersionHash?: string;
    }[];
}

interface Page {
    readonly items: readonly ApiObject[] | null;
    readonly metadata: { readonly remainingItemCount?: number };
}

/** How many objects of a resource are named. */
const namedCount = 3;

/**
 * Objects of alpha APIs, which other minor versions may not read. Without alpha APIs, nothing is requested. Objects of an
 * API that is off again cannot be found.
 */
export async function storedAlpha(api: ApiClient, running: AppliedApiserver): Promise<StoredObjects[]> {
    const apis = alphaApis(running.flags, running.version);
    const stored = await Promise.all(apis.map((each) => storedIn(api, each, running.version)));
    return stored.flat();
}

async function storedIn(api: ApiClient, alpha: string, running: string): Promise<StoredObjects[]> {
    const known = await ifFound(api.call<ApiResources>(`/apis/${alpha}`));
    const all = await Promise.all(
        (known?.resources ?? []).map(async ({ name: resource, kind, namespaced: isNamespaced, storageVersionHash }) => {
            const storedAs = storedVersion(alpha, kind, storageVersionHash ?? "", running);
            // Subresources and requests such as reviews are not stored.
            if (storedAs === undefined) return [];
            const path = `/apis/${alpha}/${resource}?limit=${namedCount}`;
            const { items, metadata } = await api.call<Page>(path, metadataOnly);
            const found = items ?? [];
            const names = found.map((item) => [item.metadata.namespace, item.metadata.name].filter(Boolean).join("/"));
            const count = found.length + (metadata.remainingItemCount ?? 0);
            return count === 0 ? [] : [{ api: alpha, storedAs, resource, isNamespaced, names, count }];
        }),
    );
    return all.flat();
}
