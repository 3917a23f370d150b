import { type Caller, list, metadataOnly } from "../../../clients/kubernetes/api-client";
import { ifFound } from "../../../clients/kubernetes/api-error";
import { rootOf } from "../../../clients/kubernetes/discovery";
import type { ConfigMap, FieldTree, ManagedFields, Metadata } from "../../../clients/kubernetes/objects";
import { cloudNames } from "../../../cluster/clouds";
import { fieldManager, managedBy } from "../../../cluster/manifest";
import { type ObjectId, recordedObjects, stackObjectsName } from "../../../cluster/manifests/stack-objects";
import type { ObjectChange, StackObjectFacts } from "../facts";

/** Timeout of a call in milliseconds. */
const CALL_MS = 2_000;

/** Names and who changed what. */
const asMetadata = `${metadataOnly.accept},application/json`;

interface Found {
    readonly metadata: Metadata;
}

const rbac = "rbac.authorization.k8s.io/v1";

/** What kube-apiserver creates when it starts, and nothing restores until then. */
const builtIn: readonly ObjectId[] = [
    ...["cluster-admin", "system:discovery", "system:public-info-viewer"].map((name) => ({
        ...{ apiVersion: rbac, kind: "ClusterRoleBinding", name },
    })),
    ...["system:kube-controller-manager", "system:kube-scheduler"].map((name) => ({
        ...{ apiVersion: rbac, kind: "ClusterRoleBinding", name },
    })),
    ...["cluster-admin", "system:kube-controller-manager", "system:kube-scheduler", "system:node"].map((name) => ({
        ...{ apiVersion: rbac, kind: "ClusterRole", name },
    })),
    ...["system-cluster-critical", "system-node-critical"].map((name) => ({
        ...{ apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", name },
    })),
];

/** Compares the objects that the stack recorded with those that exist. */
export async function readStackObjects(api: Caller): Promise<StackObjectFacts> {
    const call = { timeoutMilliseconds: CALL_MS };
    const path = `/api/v1/namespaces/kube-system/configmaps/${stackObjectsName}`;
    const record = await ifFound(api.call<ConfigMap>(path, call));
    const recorded = recordedObjects(record?.data);
    const kinds = new Map<string, ObjectId[]>();
    for (const id of [...(recorded ?? []), ...builtIn]) {
        const key = `${id.apiVersion} ${id.kind}`;
        kinds.set(key, [...(kinds.get(key) ?? []), id]);
    }
    const compared = await Promise.all([...kinds.values()].map((ids) => compareKind(api, ids)));
    const missing = compared.flatMap((each) => each.missing);
    const isBuiltIn = (id: ObjectId) => builtIn.some((each) => keyOf(each) === keyOf(id));
    return {
        isRecorded: recorded !== undefined,
        missing: missing.filter((id) => !isBuiltIn(id)),
        missingBuiltIns: missing.filter(isBuiltIn),
        changed: compared.flatMap((each) => each.changed),
    };
}

/** If more are not found by their label, they are not read one by one. */
const few = 20;

async function compareKind(api: Caller, ids: readonly ObjectId[]) {
    const { apiVersion, kind, namespace } = ids[0]!;
    const root = `${rootOf(apiVersion)}/${pluralOf(kind)}`;
    const label = namespace === undefined ? "" : `&labelSelector=${encodeURIComponent(managedBy)}`;
    const call = { accept: asMetadata, timeoutMilliseconds: CALL_MS };
    // A kind that is not served has no objects.
    const found = (await ifFound(list<Found>(api, `${root}?limit=500${label}`, call))) ?? [];
    const key = ({ metadata }: Found) => `${metadata.namespace ?? ""}/${metadata.name}`;
    const known = new Map(found.map((each) => [key(each), each]));
    const absent = ids.filter(({ namespace: own, name }) => !known.has(`${own ?? ""}/${name}`));
    // The label may have been removed.
    const exists = await Promise.all(
        absent.slice(0, namespace === undefined ? 0 : few).map(async (id) => {
            const own = `${rootOf(apiVersion)}/namespaces/${id.namespace}/${pluralOf(kind)}/${id.name}`;
            return (await ifFound(api.call(own, { timeoutMilliseconds: CALL_MS }))) !== undefined;
        }),
    );
    return {
        missing: absent.filter((_, index) => !exists[index]),
        changed: ids.flatMap((id) => {
            const fields = known.get(`${id.namespace ?? ""}/${id.name}`)?.metadata.managedFields ?? [];
            return changesOf(id, fields);
        }),
    };
}

function keyOf({ kind, namespace = "", name }: ObjectId): string {
    return `${kind} ${namespace}/${name}`;
}

/** Of all kinds that stacks create, as Kubernetes forms it. */
export function pluralOf(kind: string): string {
    const lower = kind.toLowerCase();
    if (lower.endsWith("y")) return `${lower.slice(0, -1)}ies`;
    return lower.endsWith("s") ? `${lower}es` : `${lower}s`;
}

/** Programs that complete objects, as opposed to people. */
const programs = new RegExp(
    `^(tradewind|pulumi|kube-|kubelet|node|etcd-keeper|cloud-controller|${cloudNames.map((name) => `${name}-`).join("|")})`,
);

/** Agents write into ConfigMaps and Secrets of the stack. */
const shared = ["ConfigMap", "Secret", "ServiceAccount", "CustomResourceDefinition"];

/** Fields that the stack sets in every object of a kind. A removed one has no owner. */
const essential: Readonly<Record<string, string>> = {
    ClusterRole: "rules",
    ClusterRoleBinding: "subjects",
    Role: "rules",
    RoleBinding: "subjects",
};

/** Fields of an object that someone else has set since the stack did, by who did. */
export function changesOf(id: ObjectId, managed: readonly ManagedFields[]): ObjectChange[] {
    const own = new Set(
        managed
            .filter(({ manager }) => manager === fieldManager)
            .flatMap(({ fieldsV1 = {} }) => leavesOf(fieldsV1).map((path) => path.join("."))),
    );
    const changed = managed.flatMap(({ manager = "", subresource, fieldsV1 = {} }): ObjectChange[] => {
        const isForeign = shared.includes(id.kind) ? /^kubectl/.test(manager) : !programs.test(manager);
        if (!isForeign || ![undefined, "scale"].includes(subresource)) return [];
        const fields = leavesOf(fieldsV1)
            .filter((path) => !own.has(path.join(".")))
            .map((path) => path.map(nameOfStep).join("."))
            .filter((path) => !/^(metadata|status)\b|^spec\.template\.metadata\.annotations\b/.test(path));
        return fields.length === 0 ? [] : [{ ...id, manager, fields: [...new Set(fields)] }];
    });
    const field = essential[id.kind];
    const isRemoved = changed.length === 0 && own.size > 0 && field !== undefined && !owns(own, field);
    return isRemoved ? [{ ...id, manager: "someone", fields: [field] }] : changed;
}

function owns(paths: ReadonlySet<string>, field: string): boolean {
    return [...paths].some((path) => path === `f:${field}` || path.startsWith(`f:${field}.`));
}

function leavesOf(tree: FieldTree, path: readonly string[] = []): (readonly string[])[] {
    const steps = Object.entries(tree).filter(([step]) => step !== ".");
    return steps.length === 0 && path.length > 0
        ? [path]
        : steps.flatMap(([step, below]) => leavesOf(below, [...path, step]));
}

/** `f:spec` is `spec`, and `k:{"name":"etcd"}` is `etcd`. */
function nameOfStep(step: string): string {
    if (step.startsWith("f:")) return step.slice(2);
    try {
        return Object.values(JSON.parse(step.slice(2))).join("/");
    } catch {
        return step;
    }
}
