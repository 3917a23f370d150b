import type { Caller } from "./api-client";
import { isNotFound } from "./api-error";
import type { Typed } from "./objects";

/** How the API serves a kind. */
export interface Resource {
    /** In the URL: `pods`, or `pods/status` for a subresource. */
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
}

/** The API does not serve this kind (yet): its definition may still be missing. */
export class NoSuchKind extends Error {
    override readonly name = "NoSuchKind";
}

/** URL path of a version of an API: `v1` or `apps/v1`. */
export function rootOf(apiVersion: string): string {
    return apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

/** What the API serves at a root. */
export async function resourcesAt(api: Caller, root: string): Promise<readonly Resource[]> {
    return (await api.call<{ readonly resources: readonly Resource[] }>(root)).resources;
}

/** Finds the URL path of an object. Queries the API once per group and version. */
export class Discovery {
    readonly #api: Caller;
    readonly #resources = new Map<string, Promise<readonly Resource[]>>();

    constructor(api: Caller) {
        this.#api = api;
    }

    /** @throws NoSuchKind */
    async path({ apiVersion, kind, metadata }: Typed): Promise<string> {
        const root = rootOf(apiVersion);
        const resources = this.#resources.get(root) ?? this.#ask(root);
        this.#resources.set(root, resources);
        const resource = await resources
            .then((all) => all.find((candidate) => candidate.kind === kind && !candidate.name.includes("/")))
            .catch((error) => {
                this.#resources.delete(root);
                throw error;
            });
        if (resource === undefined) {
            this.#resources.delete(root);
            throw new NoSuchKind(`no matches for kind ${kind} in version ${apiVersion}`);
        }
        const namespace = resource.namespaced ? `/namespaces/${metadata.namespace ?? "default"}` : "";
        return `${root}${namespace}/${resource.name}/${encodeURIComponent(metadata.name)}`;
    }

    async #ask(root: string): Promise<readonly Resource[]> {
        try {
            return await resourcesAt(this.#api, root);
        } catch (error) {
            // The group is not served yet.
            if (isNotFound(error)) {
                return [];
            }
            throw error;
        }
    }
}
