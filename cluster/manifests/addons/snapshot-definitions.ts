import type { Manifest } from "../../manifest";

export const snapshotGroup = "snapshot.storage.k8s.io";

type Schema = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, Schema>>;

const text = { type: "string" };
const texts = (...names: string[]): Fields => Object.fromEntries(names.map((each) => [each, text]));
const object = (properties: Fields, required: string[] = []): Schema => ({
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
});
const checks = (...rules: [message: string, rule: string][]) => ({
    "x-kubernetes-validations": rules.map(([message, rule]) => ({ message, rule })),
});
const fixed = (field: string) => ({ ...text, ...checks([`${field} is immutable`, "self == oldSelf"]) });
const kept = (field: string): [string, string] => [
    `${field} is required once set`,
    `!has(oldSelf.${field}) || has(self.${field})`,
];
/** Exactly one of two fields, each of which never changes. */
const oneOf = (a: string, b: string, [first, last] = [a, b]): Schema => ({
    ...object({ [a]: fixed(a), [b]: fixed(b) }),
    ...checks(kept(a), kept(b), [
        `exactly one of ${first} and ${last} must be set`,
        `(has(self.${first}) && !has(self.${last})) || (!has(self.${first}) && has(self.${last}))`,
    ]),
});
const time = { type: "string", format: "date-time" };
const count = { type: "integer", format: "int64" };
const failure = object({ message: text, time });
const policy = { type: "string", enum: ["Delete", "Retain"] };
const quantity = {
    type: "string",
    pattern:
        "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$",
    "x-kubernetes-int-or-string": true,
};

const snapshotSpec = object(
    {
        source: oneOf("persistentVolumeClaimName", "volumeSnapshotContentName", [
            "volumeSnapshotContentName",
            "persistentVolumeClaimName",
        ]),
        volumeSnapshotClassName: {
            ...text,
            ...checks(["volumeSnapshotClassName must not be the empty string when set", "size(self) > 0"]),
        },
    },
    ["source"],
);
const snapshotStatus = object({
    ...texts("boundVolumeSnapshotContentName", "volumeGroupSnapshotName"),
    creationTime: time,
    error: failure,
    readyToUse: { type: "boolean" },
    restoreSize: quantity,
});

const reference = ["apiVersion", "fieldPath", "kind", "name", "namespace", "resourceVersion", "uid"];
const contentSpec = {
    ...object(
        {
            ...texts("driver", "volumeSnapshotClassName"),
            deletionPolicy: policy,
            source: oneOf("volumeHandle", "snapshotHandle"),
            sourceVolumeMode: fixed("sourceVolumeMode"),
            volumeSnapshotRef: {
                ...object(texts(...reference)),
                "x-kubernetes-map-type": "atomic",
                ...checks([
                    "both spec.volumeSnapshotRef.name and spec.volumeSnapshotRef.namespace must be set",
                    "has(self.name) && has(self.__namespace__)",
                ]),
            },
        },
        ["deletionPolicy", "driver", "source", "volumeSnapshotRef"],
    ),
    ...checks(kept("sourceVolumeMode")),
};
const contentStatus = object({
    ...texts("snapshotHandle", "volumeGroupSnapshotHandle"),
    creationTime: count,
    error: failure,
    readyToUse: { type: "boolean" },
    restoreSize: { ...count, minimum: 0 },
});

/** A column of `kubectl get`: its path, its name, its type. */
type Column = readonly [path: string, name: string, type?: string];

function definition(
    kind: string,
    more: { scope: string; shortNames: string[]; approved: number; columns: Column[]; fields: Schema; status?: true },
): Manifest {
    const singular = kind.toLowerCase();
    const plural = `${singular}${singular.endsWith("s") ? "es" : "s"}`;
    const columns = [...more.columns, [".metadata.creationTimestamp", "Age", "date"] as const];
    return {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: {
            name: `${plural}.${snapshotGroup}`,
            // Kubernetes refuses definitions in its own groups without the approval.
            annotations: {
                "api-approved.kubernetes.io": `https://github.com/kubernetes-csi/external-snapshotter/pull/${more.approved}`,
            },
        },
        spec: {
            group: snapshotGroup,
            names: { kind, listKind: `${kind}List`, plural, singular, shortNames: more.shortNames },
            scope: more.scope,
            versions: [
                {
                    name: "v1",
                    served: true,
                    storage: true,
                    subresources: more.status ? { status: {} } : {},
                    additionalPrinterColumns: columns.map(([jsonPath, title, type = "string"]) => ({
                        jsonPath,
                        name: title,
                        type,
                    })),
                    schema: { openAPIV3Schema: more.fields },
                },
            ],
        },
    };
}

/** Every object has these. */
const common: Fields = { ...texts("apiVersion", "kind"), metadata: { type: "object" } };

/**
 * The kinds of the group in its only served version. Source: client/config/crd of external-snapshotter 8.4.0; the
 * contract of snapshot-controller has the hash of all that Kubernetes checks in them.
 */
export const snapshotDefinitions: readonly Manifest[] = [
    definition("VolumeSnapshotClass", {
        scope: "Cluster",
        shortNames: ["vsclass", "vsclasses"],
        approved: 814,
        columns: [
            [".driver", "Driver"],
            [".deletionPolicy", "DeletionPolicy"],
        ],
        fields: object(
            {
                ...common,
                deletionPolicy: policy,
                driver: text,
                parameters: { type: "object", additionalProperties: text },
            },
            ["deletionPolicy", "driver"],
        ),
    }),
    definition("VolumeSnapshotContent", {
        scope: "Cluster",
        shortNames: ["vsc", "vscs"],
        approved: 955,
        columns: [
            [".status.readyToUse", "ReadyToUse", "boolean"],
            [".status.restoreSize", "RestoreSize", "integer"],
            [".spec.deletionPolicy", "DeletionPolicy"],
            [".spec.driver", "Driver"],
            [".spec.volumeSnapshotClassName", "VolumeSnapshotClass"],
            [".spec.volumeSnapshotRef.name", "VolumeSnapshot"],
            [".spec.volumeSnapshotRef.namespace", "VolumeSnapshotNamespace"],
        ],
        fields: object({ ...common, spec: contentSpec, status: contentStatus }, ["spec"]),
        status: true,
    }),
    definition("VolumeSnapshot", {
        scope: "Namespaced",
        shortNames: ["vs"],
        approved: 814,
        columns: [
            [".status.readyToUse", "ReadyToUse", "boolean"],
            [".spec.source.persistentVolumeClaimName", "SourcePVC"],
            [".spec.source.volumeSnapshotContentName", "SourceSnapshotContent"],
            [".status.restoreSize", "RestoreSize"],
            [".spec.volumeSnapshotClassName", "SnapshotClass"],
            [".status.boundVolumeSnapshotContentName", "SnapshotContent"],
            [".status.creationTime", "CreationTime", "date"],
        ],
        fields: object({ ...common, spec: snapshotSpec, status: snapshotStatus }, ["spec"]),
        status: true,
    }),
];
