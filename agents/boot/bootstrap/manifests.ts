import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ApiClient } from "../../../clients/kubernetes/api-client";
import { isNotFound } from "../../../clients/kubernetes/api-error";

/** A Kubernetes object as in a manifest. */
export interface KubernetesObject {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: { readonly name: string; readonly namespace?: string };
    readonly type?: string;
    readonly data?: Readonly<Record<string, string>>;
}

/** Objects that may be applied at the same time. */
export interface ManifestGroup {
    /** The number at the start of its file names. */
    readonly order: number;
    readonly objects: readonly { readonly file: string; readonly object: KubernetesObject }[];
}

/** The manifests of a directory, `NNN-<name>.json`, grouped and ordered by number. */
export function readManifests(directory: string): ManifestGroup[] {
    const groups = new Map<number, ManifestGroup["objects"]>();
    for (const file of readdirSync(directory).sort()) {
        const order = Number(/^(\d+)-.+\.json$/.exec(file)?.[1] ?? Number.NaN);
        if (Number.isNaN(order)) {
            throw new Error(`${join(directory, file)} must be named <number>-<name>.json`);
        }
        const objects = readObjects(join(directory, file)).map((object) => ({ file, object }));
        groups.set(order, [...(groups.get(order) ?? []), ...objects]);
    }
    return [...groups].sort(([a], [b]) => a - b).map(([order, objects]) => ({ order, objects }));
}

/** The objects of a file: one, or the items of a List. */
export function readObjects(path: string): KubernetesObject[] {
    let content: { kind?: string; items?: unknown[] };
    try {
        content = JSON.parse(readFileSync(path, "utf8"));
    } catch (error) {
        throw new Error(`${path} must be JSON: ${(error as Error).message}`);
    }
    const objects = content.kind === "List" ? (content.items ?? []) : [content];
    for (const object of objects as Partial<KubernetesObject>[]) {
        if (!object.apiVersion || !object.kind || !object.metadata?.name) {
            throw new Error(`${path} must be an object with apiVersion, kind and metadata.name`);
        }
    }
    return objects as KubernetesObject[];
}

/** Readable name of the object: `DaemonSet kube-system/kube-proxy`. */
export function objectName({ kind, metadata: { name, namespace } }: KubernetesObject): string {
    return `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}

/** The API does not serve this kind (yet): its definition may still be missing. */
export class NoSuchKind extends Error {
    override readonly name = "NoSuchKind";
}

interface Resource {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
}

/** Finds the URL path of an object. Queries the API once per group and version. */
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
            // The group is not served yet.
            if (isNotFound(error)) {
                return [];
            }
            throw error;
        }
    }
}
