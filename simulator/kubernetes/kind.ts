import type { KubernetesObject } from "./object";

/** Group, version and kind; the group of core kinds is empty. */
export interface Kind {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
}

/** A Pulumi type token, as `kubernetes:apps/v1:Deployment`; `isPatch` for `kubernetes:apps/v1:DeploymentPatch`. */
export function parseType(type: string): Kind & { isPatch: boolean } {
    const [, group, version, kind] = /^kubernetes:([^/:]+)\/([^:]+):(\w+)$/.exec(type) ?? [];
    if (!kind) throw new Error(`${type} is no Kubernetes kind that this stand-in for the plugin knows`);
    const isPatch = kind.endsWith("Patch");
    return {
        // Pulumi shortens "rbac.authorization.k8s.io" nowhere, but names the core group.
        group: group === "core" ? "" : group,
        version,
        kind: isPatch ? kind.slice(0, -"Patch".length) : kind,
        isPatch,
    };
}

/** The kind that an object says it is of. */
export function kindOf({ apiVersion = "", kind = "" }: KubernetesObject): Kind {
    const slash = apiVersion.indexOf("/");
    const group = slash < 0 ? "" : apiVersion.slice(0, slash);
    return { group: group === "core" ? "" : group, version: apiVersion.slice(slash + 1), kind };
}

export function apiVersionOf({ group, version }: Kind): string {
    return group ? `${group}/${version}` : version;
}

/** Whether objects of a kind of Kubernetes itself have a namespace; `undefined` for kinds made by others. */
export function hasNamespace({ group, kind }: Kind): boolean | undefined {
    if (group.includes(".") && !group.endsWith(".k8s.io")) return undefined;
    // Groups under x-k8s.io or of other projects are no part of Kubernetes.
    if (group.endsWith(".x-k8s.io") || NOT_BUILT_IN.has(group)) return undefined;
    return !CLUSTER_WIDE.has(kind);
}

const NOT_BUILT_IN = new Set(["gateway.networking.k8s.io", "snapshot.storage.k8s.io", "metrics.k8s.io"]);

const CLUSTER_WIDE = new Set([
    "APIService",
    "CSIDriver",
    "CSINode",
    "CertificateSigningRequest",
    "ClusterRole",
    "ClusterRoleBinding",
    "ClusterTrustBundle",
    "ComponentStatus",
    "CustomResourceDefinition",
    "DeviceClass",
    "DeviceTaintRule",
    "FlowSchema",
    "IPAddress",
    "IngressClass",
    "MutatingAdmissionPolicy",
    "MutatingAdmissionPolicyBinding",
    "MutatingWebhookConfiguration",
    "Namespace",
    "Node",
    "PersistentVolume",
    "PriorityClass",
    "PriorityLevelConfiguration",
    "ResourceSlice",
    "RuntimeClass",
    "SelfSubjectAccessReview",
    "SelfSubjectReview",
    "SelfSubjectRulesReview",
    "ServiceCIDR",
    "StorageClass",
    "StorageVersion",
    "StorageVersionMigration",
    "SubjectAccessReview",
    "TokenReview",
    "ValidatingAdmissionPolicy",
    "ValidatingAdmissionPolicyBinding",
    "ValidatingWebhookConfiguration",
    "VolumeAttachment",
    "VolumeAttributesClass",
]);
