import { isDeepStrictEqual } from "node:util";
import { activeEntries, loadKubeconfig } from "../../../clients/kubernetes/kubeconfig";
import { type Change, type Diff, isObject, isUnknown, type Properties } from "../protocol/serve";
import { isAnnotated } from "./annotations";
import type { Config } from "./config";
import { type KubernetesObject, kindOf } from "./object";
import { reconcile } from "./reconcile";

interface Sides {
    readonly inputs: KubernetesObject;
    readonly oldInputs: KubernetesObject;
    /** As last read from the cluster. */
    readonly live: KubernetesObject;
}

/** What an update would change, and whether it requires a new object. */
export function diff({ inputs, oldInputs, live }: Sides, config: Config, isPatch: boolean): Diff {
    const before = reconcile(oldInputs, live, "keep");
    const isReplacing = isPatch ? replacesPatch : replaces(inputs, config);
    const changes = compare(canonical(before, inputs), inputs, isReplacing);
    return { changes, deleteBeforeReplace: hasSameName(inputs, live) };
}

// An object with a fixed name has to be deleted before its replacement is created.
function hasSameName(inputs: KubernetesObject, live: KubernetesObject): boolean {
    const { name, namespace } = inputs.metadata ?? {};
    const isSamePlace = !namespace || !live.metadata?.namespace || namespace === live.metadata.namespace;
    return !isAnnotated(inputs, "autonamed") && name === live.metadata?.name && isSamePlace;
}

// An omitted namespace is the default one.
function canonical(before: KubernetesObject, after: KubernetesObject): KubernetesObject {
    const { metadata } = before;
    if (!metadata || metadata.namespace || after.metadata?.namespace !== "default") return before;
    return { ...before, metadata: { ...metadata, namespace: "default" } };
}

/** Changes by property path. Equal list items are matched first, so that inserting one shows up as just that. */
export function compare(before: object, after: object, isReplacing: (path: string) => boolean): Diff["changes"] {
    const changes: Record<string, Change> = {};
    walk(before, after, "", (path, kind) => {
        changes[path] = { kind, replace: isReplacing(path) };
    });
    return changes;
}

type Add = (path: string, kind: Change["kind"]) => void;

function walk(before: unknown, after: unknown, path: string, add: Add): void {
    if (isDeepStrictEqual(before, after)) return;
    if (Array.isArray(before) && Array.isArray(after)) {
        const isPlain = ![...before, ...after].some((item) => typeof item === "object");
        (isPlain ? walkPlainList : walkList)(before, after, path, add);
    } else if (isObject(before) && isObject(after)) {
        for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
            walk(before[key], after[key], join(path, key), add);
        }
    } else add(path, before === undefined ? "add" : after === undefined ? "delete" : "update");
}

function walkList(before: unknown[], after: unknown[], path: string, add: Add): void {
    const shorter = Math.min(before.length, after.length);
    let start = 0;
    while (start < shorter && isDeepStrictEqual(before[start], after[start])) start++;
    let end = 0;
    while (end < shorter - start && isDeepStrictEqual(before.at(-1 - end), after.at(-1 - end))) end++;
    for (let i = start; i < shorter - end; i++) walk(before[i], after[i], `${path}[${i}]`, add);
    for (let i = shorter - end; i < before.length - end; i++) add(`${path}[${i}]`, "delete");
    for (let i = shorter - end; i < after.length - end; i++) add(`${path}[${i}]`, "add");
}

// Flags and arguments: a removed one is identified by its old index, an added one by its new one.
function walkPlainList(before: unknown[], after: unknown[], path: string, add: Add): void {
    const kept = commonIndexes(before, after);
    const [keptBefore, keptAfter] = [new Set(kept.map(([i]) => i)), new Set(kept.map(([, j]) => j))];
    for (let i = 0; i < Math.max(before.length, after.length); i++) {
        const isRemoved = i < before.length && !keptBefore.has(i);
        const isNew = i < after.length && !keptAfter.has(i);
        if (isRemoved || isNew) add(`${path}[${i}]`, isRemoved && isNew ? "update" : isNew ? "add" : "delete");
    }
}

// Pulumi property paths quote keys that contain punctuation.
function join(path: string, key: string): string {
    if (/[.["\]]/.test(key) || key === "") return `${path}[${JSON.stringify(key)}]`;
    return path ? `${path}.${key}` : key;
}

/** Pairs of indexes of a longest common subsequence of two lists of plain values. */
function commonIndexes(one: readonly unknown[], other: readonly unknown[]): [number, number][] {
    // lengths[i][j]: length of the common subsequence of the tails from i and from j.
    const lengths = one.map(() => new Array<number>(other.length).fill(0));
    const length = (i: number, j: number) => lengths[i]?.[j] ?? 0;
    for (let i = one.length - 1; i >= 0; i--) {
        const row = lengths[i]!;
        for (let j = other.length - 1; j >= 0; j--) {
            row[j] = one[i] === other[j] ? length(i + 1, j + 1) + 1 : Math.max(length(i + 1, j), length(i, j + 1));
        }
    }
    const pairs: [number, number][] = [];
    for (let i = 0, j = 0; i < one.length && j < other.length; ) {
        if (one[i] === other[j]) pairs.push([i++, j++]);
        else if (length(i + 1, j) >= length(i, j + 1)) i++;
        else j++;
    }
    return pairs;
}

const WHERE = ["kubeconfig", "context", "cluster"];

/**
 * Whether a provider still uses the same cluster. Replacing the provider replaces all of its objects, which makes a
 * literal `clusterIdentifier` important: while it stays the same nothing is replaced, not even for an unknown
 * kubeconfig. Source: `DiffConfig` of pulumi-kubernetes.
 *
 * @throws if a kubeconfig cannot be read, even if the identifier stays
 */
export function diffConfig(config: Properties, oldConfig: Properties): Diff {
    const names = [...new Set([...Object.keys(oldConfig), ...Object.keys(config)])];
    const changed = names.filter((name) => !isDeepStrictEqual(present(config[name]), present(oldConfig[name])));
    const replacing = new Set(replacements(config, oldConfig, changed));
    const changes = changed.map((name): [string, Change] => {
        const kind = !present(oldConfig[name]) ? "add" : !present(config[name]) ? "delete" : "update";
        return [name, { kind, replace: replacing.has(name) }];
    });
    return { changes: Object.fromEntries(changes) };
}

function replacements(config: Properties, oldConfig: Properties, changed: string[]): string[] {
    if (changed.length === 0) return [];
    const identifier = present(config.clusterIdentifier);
    const oldIdentifier = present(oldConfig.clusterIdentifier);
    const all = [...(identifier && oldIdentifier ? ["clusterIdentifier"] : []), ...moved(config, oldConfig, changed)];
    return identifier && identifier === oldIdentifier ? [] : all;
}

function moved(config: Properties, oldConfig: Properties, changed: string[]): string[] {
    const unknown = WHERE.filter((name) => isUnknown(config[name]) && changed.includes(name));
    if (unknown.length > 0) return unknown;
    const isSame = isDeepStrictEqual(activeCluster(oldConfig), activeCluster(config));
    return changed.filter((name) => name === "renderYamlToDirectory" || (!isSame && WHERE.includes(name)));
}

// That of the environment is not read. The official plugin replaces nothing then, but its earlier releases did.
function activeCluster(config: Properties): Properties | undefined {
    const kubeconfig = present(config.kubeconfig);
    if (!kubeconfig) return {};
    const text = typeof kubeconfig === "string" ? kubeconfig : JSON.stringify(kubeconfig);
    const choice = { context: config.context as string | undefined, cluster: config.cluster as string | undefined };
    return activeEntries(loadKubeconfig(text).config, choice).cluster;
}

function present(value: unknown): unknown {
    return value === null || value === "" ? undefined : value;
}

const IDENTITY = ["kind", "metadata.name", "metadata.namespace"];

// Fields that cannot be changed in place, by group and kind, including everything below them.
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

/** Whether a change at a property path requires a new object. */
function replaces(object: KubernetesObject, config: Config): (path: string) => boolean {
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

/** A patch is only replaced if it is for another object. */
function replacesPatch(path: string): boolean {
    return isWithin(path, IDENTITY);
}

/**
 * A ConfigMap or Secret is replaced when its contents change, so that pods mounting it under a generated name get the
 * new contents, unless the provider is configured to change it in place.
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
