import { type ApiClient, metadataOnly, patch } from "../../clients/kubernetes/api-client";
import { ApiError, describeError, isNotFound } from "../../clients/kubernetes/api-error";
import { type List, nameOf, type Secret, type With } from "../../clients/kubernetes/objects";
import type { SecretsRewritePlan } from "./plan";

type Page = List<With<Secret, "namespace">>;

// The agent never receives the data of a Secret.
const { accept: names } = metadataOnly;

/**
 * Makes kube-apiserver write every Secret again, with the first of its keys. Returns how many there are.
 *
 * An empty patch is enough: kube-apiserver writes whatever it read with another key than the first, and changes nothing
 * else. So an interrupted run simply starts over, and other writers' changes are never undone.
 *
 * @throws Error that names the Secrets whose update the API refuses, once all others are written
 */
export async function rewriteSecrets(api: ApiClient, { pageSize = 500 }: SecretsRewritePlan): Promise<number> {
    let count = 0;
    let refused: string[] = [];
    for (let from: string | undefined; ; ) {
        const page: Page | "expired" = await nextPage(api, pageSize, from);
        if (page === "expired") {
            // etcd has compacted the revision of the list. Secrets that are done already cost only a read.
            count = 0;
            refused = [];
            from = undefined;
            continue;
        }
        for (const secret of page.items) {
            refused.push(...(await rewrite(api, secret)));
        }
        count += page.items.length;
        if (!page.metadata?.continue) {
            if (refused.length > 0) throw new Error(describe(refused, count));
            return count;
        }
        from = page.metadata.continue;
        console.log(`${count} Secrets rewritten`);
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

/** Most Secrets that the error names: its end is what `up` shows. */
const mostNamed = 10;

function describe(refused: readonly string[], count: number): string {
    const named = refused.slice(0, mostNamed);
    const rest = refused.length > mostNamed ? [`and ${refused.length - mostNamed} more`] : [];
    const done = `${count - refused.length} of ${count} Secrets are encrypted with the first key`;
    return [`${done}; the API refuses to write the others:`, ...named, ...rest].join("\n  ");
}

/** Why the API refuses to write it, if it does. */
async function rewrite(api: ApiClient, secret: Page["items"][number]): Promise<string[]> {
    const { namespace, name } = secret.metadata;
    const path = `/api/v1/namespaces/${namespace}/secrets/${name}`;
    try {
        await patch(api, path, "merge", {}, { accept: names.replace("List", "") });
        return [];
    } catch (error) {
        // A deleted Secret needs no rewrite.
        if (isNotFound(error)) return [];
        const why = `${nameOf(secret)}: ${describeError(error)}`;
        // Policies and webhooks may refuse single Secrets; without an answer, the others would fail too.
        if (error instanceof ApiError) return [why];
        throw new Error(`could not rewrite Secret ${why}`);
    }
}
