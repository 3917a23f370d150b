import type { StoredObject } from "./objects";

/** What may differ after a restore, and why. All else must be the same, `uid` and `creationTimestamp` too. */
export interface Ignored {
    readonly what: string;
    readonly why: string;
}

interface IgnoredObjects extends Ignored {
    readonly matches: (object: StoredObject) => boolean;
}

interface IgnoredFields extends Ignored {
    /** Of all objects, if it is not said of which. */
    readonly of?: (object: StoredObject) => boolean;
    /** Below what each of them leads to, all is ignored. */
    readonly paths: readonly (readonly string[])[];
}

const isKind =
    (...kinds: readonly string[]) =>
    ({ kind }: StoredObject) =>
        kinds.includes(kind);

/** Objects that nobody restores: they tell of what runs now. */
export const ignoredObjects: readonly IgnoredObjects[] = [
    { what: "Pods", why: "made anew by their owners, which are compared", matches: isKind("Pod") },
    { what: "Events", why: "tell of what happens", matches: isKind("Event") },
    { what: "Leases", why: "renewed every few seconds", matches: isKind("Lease", "LeaseCandidate") },
    { what: "Endpoints, EndpointSlices", why: "follow the pods", matches: isKind("Endpoints", "EndpointSlice") },
    {
        what: "CertificateSigningRequests",
        why: "requests of machines, removed within hours",
        matches: isKind("CertificateSigningRequest"),
    },
    {
        what: "Jobs of the CronJob etcd-snapshot",
        why: "one of them takes the drill's own snapshot",
        matches: ({ kind, metadata }) => kind === "Job" && metadata.name.startsWith("etcd-snapshot-"),
    },
    {
        what: "ConfigMap kube-system/etcd-status",
        why: "tells how etcd is now",
        matches: ({ kind, metadata }) =>
            kind === "ConfigMap" && metadata.namespace === "kube-system" && metadata.name === "etcd-status",
    },
];

export const ignoredFields: readonly IgnoredFields[] = [
    {
        what: "metadata.resourceVersion, metadata.managedFields",
        why: "the API's own bookkeeping of writes",
        paths: [
            ["metadata", "resourceVersion"],
            ["metadata", "managedFields"],
        ],
    },
    { what: "status", why: "what controllers see now", paths: [["status"]] },
    {
        what: "labels, annotations and taints of Nodes",
        why: "written by the kubelet, the pod network and the node controller of a new machine",
        of: isKind("Node"),
        paths: [
            ["metadata", "labels"],
            ["metadata", "annotations"],
            ["spec", "taints"],
        ],
    },
    {
        what: "expiration of bootstrap tokens",
        why: "tokens that have ended are made valid again for the new machines",
        of: ({ type }) => type === "bootstrap.kubernetes.io/token",
        paths: [["data", "expiration"]],
    },
];
