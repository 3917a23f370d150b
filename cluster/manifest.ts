import { createHash } from "node:crypto";

/** A Kubernetes object as plain data. */
export interface Manifest {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: ObjectMeta;
    readonly [field: string]: unknown;
}

interface ObjectMeta {
    readonly name: string;
    readonly namespace?: string;
    /** Only for static pods: other objects get theirs from the API. */
    readonly uid?: string;
    readonly labels?: Record<string, string>;
    readonly annotations?: Record<string, string>;
}

/** The field manager of the bootstrap's server-side apply, and of Pulumi after it adopted the objects. */
export const fieldManager = "tradewind-bootstrap";

/** Label of all objects that a stack manages, and its value. */
export const managedBy = "app.kubernetes.io/managed-by=tradewind";

/**
 * Marks an object so that Pulumi adopts it with the bootstrap's field manager.
 *
 * With another manager, Pulumi's apply would conflict, or never remove dropped fields.
 */
export function owned(manifest: Manifest): Manifest {
    const { name, namespace, labels, annotations } = manifest.metadata;
    return {
        ...manifest,
        metadata: {
            name,
            ...(namespace && { namespace }),
            labels: { ...labels, "app.kubernetes.io/managed-by": "tradewind" },
            annotations: { ...annotations, "pulumi.com/patchFieldManager": fieldManager },
        },
    };
}

/** Name of the object, unique in the cluster and stable: `kind/namespace/name`, in lower case. */
export function manifestKey({ kind, metadata }: Manifest): string {
    return [kind.toLowerCase(), metadata.namespace, metadata.name.replaceAll(":", "-")].filter(Boolean).join("/");
}

/** Changes with the content; set on a pod template so that a new config restarts the pods. */
export function contentHash(content: unknown): string {
    return createHash("sha256").update(JSON.stringify(content)).digest("hex").slice(0, 16);
}

/** Maps the values of a record. */
export function mapValues<K extends string, A, B>(
    record: Readonly<Record<K, A>>,
    change: (value: A) => B,
): Record<K, B> {
    return Object.fromEntries(Object.entries<A>(record).map(([key, value]) => [key, change(value)])) as Record<K, B>;
}

/** A copy without some fields. */
export function without<T extends object, K extends keyof T>(all: T, ...left: readonly K[]): Omit<T, K> {
    return Object.fromEntries(Object.entries(all).filter(([key]) => !left.includes(key as K))) as Omit<T, K>;
}

/** Built-in priority classes and their values. The higher one stops later when a node shuts down. */
export const priorities = {
    /** The API, and what every workload needs from it. */
    control: { name: "system-cluster-critical", value: 2_000_000_000 },
    /** What the API depends on: etcd and the node's network. */
    node: { name: "system-node-critical", value: 2_000_001_000 },
} as const;
