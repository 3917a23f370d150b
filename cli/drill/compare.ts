import { isDeepStrictEqual } from "node:util";
import { controllersConfig } from "../../agents/nodes/promoter/record";
import { type Fields, type Metadata, type Typed, titleOf } from "../../clients/kubernetes/objects";

export type Difference =
    | { readonly object: string; readonly kind: "missing" | "extra" }
    /** Only paths: the values may be secret. */
    | { readonly object: string; readonly kind: "changed"; readonly paths: readonly string[] };

export interface Comparison {
    /** Number of objects compared. */
    readonly compared: number;
    /** Number of previous objects that are not compared. */
    readonly ignored: number;
    readonly differences: readonly Difference[];
}

/** What is not compared. */
export interface Exceptions {
    readonly objects: readonly IgnoredObjects[];
    readonly fields: readonly IgnoredFields[];
}

/** Compares all objects before and after. */
export function compare(
    before: readonly StoredObject[],
    after: readonly StoredObject[],
    exceptions: Exceptions = { objects: ignoredObjects, fields: ignoredFields },
): Comparison {
    const [old, now] = [byKey(before, exceptions), byKey(after, exceptions)];
    const differences: Difference[] = [];
    for (const [key, object] of old) {
        const other = now.get(key);
        if (other === undefined) {
            differences.push({ object: titleOf(object), kind: "missing" });
            continue;
        }
        const paths = changedPaths(object, other).filter((path) => !isIgnored(object, path, exceptions));
        if (paths.length > 0) {
            differences.push({ object: titleOf(object), kind: "changed", paths: paths.map((path) => path.join(".")) });
        }
    }
    const extra = [...now].filter(([key]) => !old.has(key));
    differences.push(...extra.map(([, object]) => ({ object: titleOf(object), kind: "extra" as const })));
    return { compared: old.size, ignored: before.length - old.size, differences };
}

function byKey(objects: readonly StoredObject[], { objects: ignored }: Exceptions): Map<string, StoredObject> {
    const counted = objects.filter((object) => !ignored.some(({ matches }) => matches(object)));
    return new Map(counted.map((object) => [`${object.apiVersion} ${titleOf(object)}`, object]));
}

function isIgnored(object: StoredObject, path: readonly string[], { fields }: Exceptions): boolean {
    return fields.some(
        ({ of = () => true, paths }) =>
            of(object) && paths.some((ignored) => ignored.every((part, index) => path[index] === part)),
    );
}

/** Paths where two values differ, as deep as possible. */
function changedPaths(before: unknown, after: unknown, path: readonly string[] = []): string[][] {
    if (isDeepStrictEqual(before, after)) {
        return [];
    }
    if (!isRecord(before) || !isRecord(after)) {
        return [[...path]];
    }
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => changedPaths(before[key], after[key], [...path, key]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What may differ after a restore, and why. Everything else must be equal, including `uid` and `creationTimestamp`. */
interface Ignored {
    readonly what: string;
    readonly why: string;
}

export interface IgnoredObjects extends Ignored {
    readonly matches: (object: StoredObject) => boolean;
}

export interface IgnoredFields extends Ignored {
    /** @default all objects */
    readonly of?: (object: StoredObject) => boolean;
    /** Everything below these paths is ignored. */
    readonly paths: readonly (readonly string[])[];
}

const isKind =
    (...kinds: readonly string[]) =>
    ({ kind }: StoredObject) =>
        kinds.includes(kind);

const isSystemConfig =
    (name: string) =>
    ({ kind, metadata }: StoredObject) =>
        kind === "ConfigMap" && metadata.namespace === "kube-system" && metadata.name === name;

/** Objects that describe what is running, and are not restored. */
export const ignoredObjects: readonly IgnoredObjects[] = [
    { what: "Pods", why: "recreated by their owners, which are compared", matches: isKind("Pod") },
    { what: "Events", why: "created by whatever happens", matches: isKind("Event") },
    { what: "Leases", why: "renewed every few seconds", matches: isKind("Lease", "LeaseCandidate") },
    { what: "Endpoints, EndpointSlices", why: "follow the pods", matches: isKind("Endpoints", "EndpointSlice") },
    {
        what: "CertificateSigningRequests",
        why: "created by machines, removed within hours",
        matches: isKind("CertificateSigningRequest"),
    },
    {
        what: "Jobs of the CronJob etcd-snapshot",
        why: "one of them takes the drill's snapshot",
        matches: ({ kind, metadata }) => kind === "Job" && metadata.name.startsWith("etcd-snapshot-"),
    },
    {
        what: "ConfigMap kube-system/etcd-status",
        why: "reports the current state of etcd",
        matches: isSystemConfig("etcd-status"),
    },
    {
        what: `ConfigMap kube-system/${controllersConfig}`,
        why: "a candidate may replace a controller that takes long to return",
        matches: isSystemConfig(controllersConfig),
    },
];

export const ignoredFields: readonly IgnoredFields[] = [
    {
        what: "metadata.resourceVersion, metadata.managedFields",
        why: "metadata maintained by the API",
        paths: [
            ["metadata", "resourceVersion"],
            ["metadata", "managedFields"],
        ],
    },
    { what: "status", why: "reflects the current state", paths: [["status"]] },
    {
        what: "labels, annotations and taints of Nodes",
        why: "set on new machines by the kubelet, the pod network and the node controller",
        of: isKind("Node"),
        paths: [
            ["metadata", "labels"],
            ["metadata", "annotations"],
            ["spec", "taints"],
        ],
    },
    {
        what: "expiration of bootstrap tokens",
        why: "expired tokens are renewed for the new machines",
        of: ({ type }) => type === "bootstrap.kubernetes.io/token",
        paths: [["data", "expiration"]],
    },
];

/** An object as returned by the API. */
export interface StoredObject extends Typed, Fields {
    readonly metadata: Metadata & Fields;
}
