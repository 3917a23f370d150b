import type { Config } from "./config";
import { kindOf } from "./kind";
import type { KubernetesObject } from "./object";

const IDENTITY = ["kind", "metadata.name", "metadata.namespace"];

// Fields that cannot be changed in place, by group and kind; what lies below them neither.
const IMMUTABLE: Record<string, readonly string[]> = {
    "/PersistentVolumeClaim": ["spec"],
    "/Pod": ["spec"],
    "/ResourceQuota": ["spec.scopes"],
    "/Service": ["spec.clusterIP"],
    "apps/DaemonSet": ["spec.selector"],
    "apps/Deployment": ["spec.selector"],
    "apps/StatefulSet": ["spec.podManagementPolicy", "spec.selector", "spec.serviceName", "spec.volumeClaimTemplates"],
    "batch/Job": ["spec.completions", "spec.parallelism", "spec.selector", "spec.template"],
    "rbac.authorization.k8s.io/ClusterRoleBinding": ["roleRef"],
    "rbac.authorization.k8s.io/RoleBinding": ["roleRef"],
    "storage.k8s.io/StorageClass": ["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"],
};

// Exceptions to the above.
const MUTABLE: Record<string, readonly string[]> = {
    "/PersistentVolumeClaim": ["spec.resources"],
    "/Pod": ["spec.activeDeadlineSeconds", "spec.tolerations"],
};

const VOLUME_BASICS = new Set([
    "accessModes",
    "capacity",
    "claimRef",
    "mountOptions",
    "nodeAffinity",
    "persistentVolumeReclaimPolicy",
    "storageClassName",
    "volumeMode",
    "volumeAttributesClassName",
]);

/** Tells of a property path whether a change there means a new object. */
export function replaces(object: KubernetesObject, config: Config): (path: string) => boolean {
    const { group, kind } = kindOf(object);
    const name = `${group}/${kind}`;
    const fields = [...IDENTITY, ...(IMMUTABLE[name] ?? []), ...contents(object, name, config)];
    const exceptions = MUTABLE[name] ?? [];
    const isVolumeSource = (path: string) => {
        const [, field] = /^spec\.(\w+)/.exec(path) ?? [];
        return name === "/PersistentVolume" && field !== undefined && !VOLUME_BASICS.has(field);
    };
    return (path) => (isWithin(path, fields) && !isWithin(path, exceptions)) || isVolumeSource(path);
}

/** What replaces a patch: only that it is of another object. */
export function replacesPatch(path: string): boolean {
    return isWithin(path, IDENTITY);
}

/**
 * A ConfigMap or Secret is replaced when its contents change, so that whoever mounts it under a generated name sees
 * it, unless the provider was told that they may change in place.
 */
function contents(object: KubernetesObject, name: string, config: Config): string[] {
    if (name === "/ConfigMap") {
        const isMutable = config.enableConfigMapMutable && object.immutable !== true;
        return isMutable ? [] : ["data", "binaryData", "immutable"];
    }
    if (name === "/Secret") {
        const isMutable = config.enableSecretMutable && object.immutable !== true;
        return isMutable ? ["type"] : ["type", "data", "stringData", "immutable"];
    }
    return [];
}

function isWithin(path: string, fields: readonly string[]): boolean {
    return fields.some((field) => path === field || (path.startsWith(field) && /^[.[]/.test(path.slice(field.length))));
}
