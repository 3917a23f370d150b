import type { ApiClient } from "../../clients/kubernetes/api-client";
import { ApiError, describeError, isNotFound } from "../../clients/kubernetes/api-error";
import type { SecretsRewritePlan } from "./plan";

interface Page {
    readonly metadata: { readonly continue?: string };
    readonly items: readonly { readonly metadata: { readonly name: string; readonly namespace: string } }[];
}

/** Names without contents: what a Secret holds never comes here. */
const names = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

/**
 * Has kube-apiserver write every Secret again, with the first of its keys. Tells how many there are.
 *
 * A change of nothing is enough: kube-apiserver writes what it read with another key than the first, and leaves all else as it
 * is. So a run that was interrupted begins again, and another writer's change is never undone.
 */
export async function rewriteSecrets(api: ApiClient, { pageSize = 500 }: SecretsRewritePlan): Promise<number> {
    let count = 0;
    for (let from: string | undefined; ; ) {
        const page: Page | "expired" = await nextPage(api, pageSize, from);
        if (page === "expired") {
            // The pages were of a time that etcd has forgotten. What is done already takes no more than a look.
            count = 0;
            from = undefined;
            continue;
        }
        for (const { metadata } of page.items) {
            await rewrite(api, metadata);
        }
        count += page.items.length;
        if (!page.metadata.continue) {
            return count;
        }
        from = page.metadata.continue;
        console.log(`${count} Secrets are written`);
    }
}

async function nextPage(api: ApiClient, limit: number, from?: string): Promise<Page | "expired"> {
    const query = new URLSearchParams({ limit: String(limit), ...(from && { continue: from }) });
    try {
        return await api.call<Page>(`/api/v1/secrets?${query}`, { accept: names });
    } catch (error) {
        if (error instanceof ApiError && error.status === 410) {
            return "expired";
        }
        throw error;
    }
}

async function rewrite(api: ApiClient, { name, namespace }: Page["items"][number]["metadata"]): Promise<void> {
    try {
        await api.call(`/api/v1/namespaces/${namespace}/secrets/${name}`, {
            method: "PATCH",
            contentType: "application/merge-patch+json",
            accept: names.replace("List", ""),
            body: {},
        });
    } catch (error) {
        // Who removed it left nothing to write.
        if (!isNotFound(error)) {
            throw new Error(`the Secret ${namespace}/${name} can't be written: ${describeError(error)}`);
        }
    }
}
