/** A Kubernetes object as plain data. */
export interface Manifest {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: ObjectMeta;
    readonly [field: string]: unknown;
}

export interface ObjectMeta {
    readonly name: string;
    readonly namespace?: string;
    /** Of a static pod alone: others get theirs from the API. */
    readonly uid?: string;
    readonly labels?: Record<string, string>;
    readonly annotations?: Record<string, string>;
}

/** The field manager of the bootstrap's server-side apply, and of Pulumi after it adopted the objects. */
export const fieldManager = "tradewind-bootstrap";

/**
 * Marks an object so that Pulumi adopts it under the bootstrap's field manager.
 *
 * With another manager Pulumi's apply would conflict, or leave dropped fields behind for ever.
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

/** A name for the object that is unique in the cluster and stable: `kind/namespace/name`, in lower case. */
export function manifestKey({ kind, metadata }: Manifest): string {
    return [kind.toLowerCase(), metadata.namespace, metadata.name.replaceAll(":", "-")].filter(Boolean).join("/");
}
