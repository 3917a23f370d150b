import type { ApiClient } from "../common/api-client";
import { isNotFound } from "../common/api-error";
import type { KubernetesObject } from "./manifests";

/** The API serves no such kind, yet: its definition may still be on its way. */
export class NoSuchKind extends Error {
    override readonly name = "NoSuchKind";
}

interface Resource {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
}

/** Finds out where in the API an object lives. Asks once per group and version. */
export class Discovery {
    readonly #api: ApiClient;
    readonly #resources = new Map<string, Promise<readonly Resource[]>>();

    constructor(api: ApiClient) {
        this.#api = api;
    }

    /** The object's URL path. */
    async path({ apiVersion, kind, metadata }: KubernetesObject): Promise<string> {
        const base = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
        const resources = this.#resources.get(base) ?? this.#ask(base);
        this.#resources.set(base, resources);
        const resource = await resources
            .then((all) => all.find((candidate) => candidate.kind === kind && !candidate.name.includes("/")))
            .catch((error) => {
                this.#resources.delete(base);
                throw error;
            });
        if (resource === undefined) {
            this.#resources.delete(base);
            throw new NoSuchKind(`no matches for kind ${kind} in version ${apiVersion}`);
        }
        const namespace = resource.namespaced ? `/namespaces/${metadata.namespace ?? "default"}` : "";
        return `${base}${namespace}/${resource.name}/${encodeURIComponent(metadata.name)}`;
    }

    async #ask(base: string): Promise<readonly Resource[]> {
        try {
            return (await this.#api.call<{ resources: Resource[] }>(base)).resources;
        } catch (error) {
            // A group that is not served yet.
            if (isNotFound(error)) {
                return [];
            }
            throw error;
        }
    }
}
