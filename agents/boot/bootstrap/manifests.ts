import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Typed } from "../../../clients/kubernetes/objects";

/** A Kubernetes object as in a manifest. */
export interface KubernetesObject extends Typed {
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
function readObjects(path: string): KubernetesObject[] {
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
