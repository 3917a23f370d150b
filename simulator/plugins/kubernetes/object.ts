import { isObject, type Properties } from "../protocol/values";

/** A Kubernetes object in the API's format. */
export interface KubernetesObject extends Properties {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Metadata;
    readonly spec?: Properties;
    readonly status?: Properties;
}

interface Metadata extends Properties {
    readonly name?: string;
    readonly namespace?: string;
    readonly annotations?: Record<string, string>;
    readonly labels?: Record<string, string>;
    readonly generation?: number;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly managedFields?: readonly ManagedFields[];
}

/** Ownership of fields, as recorded by server-side apply. */
export interface ManagedFields {
    readonly manager?: string;
    readonly operation?: "Apply" | "Update";
    readonly subresource?: string;
    readonly apiVersion?: string;
    readonly time?: string;
    readonly fieldsType?: string;
    readonly fieldsV1?: Properties;
}

/** The value at a path, `undefined` if the path does not exist. */
export function at(value: unknown, ...path: readonly string[]): unknown {
    return path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);
}

/** The number at a path, 0 if there is none: statuses omit zeros. */
export function numberAt(value: unknown, ...path: readonly string[]): number {
    return Number(at(value, ...path) ?? 0);
}

/** The objects of the list at a path. */
export function listAt(value: unknown, ...path: readonly string[]): Properties[] {
    const list = at(value, ...path);
    return Array.isArray(list) ? list.filter(isObject) : [];
}

/** The Pulumi id of an object: `namespace/name`, or `name` when it has no namespace. */
export function idOf({ metadata: { namespace, name } = {} }: KubernetesObject): string {
    return namespace ? `${namespace}/${name}` : `${name}`;
}

export function parseId(id: string): { namespace?: string; name: string } {
    const [first = "", second] = id.split("/");
    return second === undefined ? { name: first } : { namespace: first, name: second };
}

/** A copy with these metadata fields replaced; `undefined` removes one. */
export function withMetadata<T extends KubernetesObject>(object: T, change: Metadata): T {
    const entries = Object.entries({ ...object.metadata, ...change }).filter(([, value]) => value !== undefined);
    return { ...object, metadata: Object.fromEntries(entries) };
}

/**
 * In the API's spelling: the SDK's property names contain no dashes (`x_kubernetes_list_type`), and null means absent.
 */
export function toApi<T>(value: T): T {
    return mapKeys(value, (key) => (key.startsWith("x_kubernetes_") ? key.replaceAll("_", "-") : key)) as T;
}

/** In the SDK's spelling. */
export function fromApi<T>(value: T): T {
    return mapKeys(value, (key) => (key.startsWith("x-kubernetes-") ? key.replaceAll("-", "_") : key)) as T;
}

function mapKeys(value: unknown, rename: (key: string) => string): unknown {
    if (Array.isArray(value)) return value.map((item) => mapKeys(item, rename));
    if (!isObject(value)) return value;
    const present = Object.entries(value).filter(([, inner]) => inner !== undefined && inner !== null);
    return Object.fromEntries(present.map(([key, inner]) => [rename(key), mapKeys(inner, rename)]));
}

/** Group, version and kind; the group of core kinds is empty. */
export interface Kind {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
}

/** A Pulumi type token, as `kubernetes:apps/v1:Deployment`; `isPatch` for `kubernetes:apps/v1:DeploymentPatch`. */
export function parseType(type: string): Kind & { isPatch: boolean } {
    const [, group, version, kind] = /^kubernetes:([^/:]+)\/([^:]+):(\w+)$/.exec(type) ?? [];
    if (!group || !version || !kind)
        throw new Error(`${type} is not a Kubernetes kind known to this stand-in for the plugin`);
    const isPatch = kind.endsWith("Patch");
    return {
        // Pulumi does not shorten "rbac.authorization.k8s.io", but names the core group.
        group: group === "core" ? "" : group,
        version,
        kind: isPatch ? kind.slice(0, -"Patch".length) : kind,
        isPatch,
    };
}

/** The kind that an object declares. */
export function kindOf({ apiVersion = "", kind = "" }: KubernetesObject): Kind {
    const slash = apiVersion.indexOf("/");
    const group = slash < 0 ? "" : apiVersion.slice(0, slash);
    return { group: group === "core" ? "" : group, version: apiVersion.slice(slash + 1), kind };
}

export function apiVersionOf({ group, version }: Kind): string {
    return group ? `${group}/${version}` : version;
}

/** Whether objects of a built-in kind are namespaced; `undefined` for kinds of other projects. */
export function hasNamespace({ group, kind }: Kind): boolean | undefined {
    if (group.includes(".") && !group.endsWith(".k8s.io")) return undefined;
    // Groups under x-k8s.io and of other projects are not part of Kubernetes.
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

/** Whether the object defines a new kind. */
export function isCustomResourceDefinition(object: KubernetesObject): boolean {
    const { group, kind } = kindOf(object);
    return group === "apiextensions.k8s.io" && kind === "CustomResourceDefinition";
}
