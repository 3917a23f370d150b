import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A Kubernetes object as it lies in a manifest. */
export interface KubernetesObject {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: { readonly name: string; readonly namespace?: string };
    readonly type?: string;
    readonly data?: Readonly<Record<string, string>>;
}

/** Objects that may be applied at the same time. */
export interface ManifestGroup {
    /** The number that the names of its files begin with. */
    readonly order: number;
    readonly objects: readonly { readonly file: string; readonly object: KubernetesObject }[];
}

/** The manifests of a directory, `NNN-<name>.json`, those of a number as a group, in the order of the numbers. */
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
            throw new Error(`${path} must hold an object with apiVersion, kind and metadata.name`);
        }
    }
    return objects as KubernetesObject[];
}

/** How a person calls the object: `DaemonSet kube-system/kube-proxy`. */
export function objectName({ kind, metadata: { name, namespace } }: KubernetesObject): string {
    return `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}
