import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { isObject, type Properties } from "../protocol/serve";
import { annotationOf } from "./annotations";
import type { Cluster } from "./cluster";
import { ApiError } from "./faults";
import type { KubernetesObject, ManagedFields } from "./object";
import { retry } from "./retry";

/** The owner of fields that were set without server-side apply, as in creations by default. */
export const CREATOR = "pulumi-kubernetes";

/** The owner of an object's fields: the one it specifies, the one it had, or a new one. */
export function fieldManagerOf(inputs: KubernetesObject, state: Properties): string {
    const recorded = state.__fieldManager;
    return (
        annotationOf(inputs, "patchFieldManager") ||
        (typeof recorded === "string" && recorded) ||
        `${CREATOR}-${randomBytes(4).toString("hex")}`
    );
}

// Apply takes over the fields of these owners first, so that fields dropped from the program are really removed.
const PREDECESSORS = [
    { prefix: "kubectl", operation: "Apply" },
    { prefix: "kubectl", operation: "Update" },
    { prefix: "before-first-apply", operation: "Update" },
    { prefix: CREATOR, operation: "Update" },
    { prefix: "pulumi-resource-kubernetes", operation: "Update" },
];

/** Whether fields are owned by this plugin from before it used server-side apply. */
export function wasWrittenByPlugin(live: KubernetesObject): boolean {
    const names = [CREATOR, `${CREATOR}.exe`, "pulumi-resource-kubernetes"];
    return (live.metadata?.managedFields ?? []).some(
        ({ manager = "", operation }) => operation === "Update" && names.includes(manager),
    );
}

/** The owners after `manager` took over from its predecessors. */
export function takenOver(fields: readonly ManagedFields[], manager: string, apiVersion: string): ManagedFields[] {
    const isOwn = (entry: ManagedFields) => entry.manager === manager && entry.operation === "Apply";
    const merged = fields.filter((entry) => isOwn(entry) || isPredecessor(entry));
    const own: ManagedFields = {
        manager,
        operation: "Apply",
        apiVersion,
        time: merged[0]?.time,
        fieldsType: "FieldsV1",
        fieldsV1: merged.reduce<Properties>((all, { fieldsV1 = {} }) => union(all, fieldsV1), {}),
    };
    return [...fields.filter((entry) => !merged.includes(entry)), own];
}

/** Takes over ownership on the cluster; retried if the object changed meanwhile. */
export async function takeOver(cluster: Cluster, live: KubernetesObject, manager: string): Promise<void> {
    if (!(live.metadata?.managedFields ?? []).some(isPredecessor)) return;
    const attempt = async (count: number) => {
        const current = count ? await cluster.get(live) : live;
        const { managedFields = [], resourceVersion } = current.metadata ?? {};
        const after = takenOver(managedFields, manager, String(live.apiVersion));
        if (isDeepStrictEqual(after, managedFields)) return;
        await cluster.patch(current, "application/json-patch+json", [
            { op: "replace", path: "/metadata/managedFields", value: after },
            { op: "replace", path: "/metadata/resourceVersion", value: resourceVersion },
        ]);
    };
    await retry(attempt, { within: 5000, when: (error) => error instanceof ApiError && error.isConflict });
}

/** Gives up every field: fields without other owners are removed. */
export async function relinquish(cluster: Cluster, object: KubernetesObject, manager: string): Promise<void> {
    const { apiVersion, kind, metadata: { name, namespace } = {} } = object;
    const bare = { apiVersion, kind, metadata: namespace ? { name, namespace } : { name } };
    await cluster.apply(bare, { fieldManager: manager, force: false });
}

function isPredecessor({ manager = "", operation, subresource = "" }: ManagedFields): boolean {
    const isNamed = ({ prefix, operation: its }: (typeof PREDECESSORS)[number]) =>
        manager.startsWith(prefix) && operation === its;
    return subresource === "" && PREDECESSORS.some(isNamed);
}

function union(one: Properties, other: Properties): Properties {
    const merged = { ...one };
    for (const [key, value] of Object.entries(other)) {
        const mine = merged[key];
        merged[key] = isObject(mine) && isObject(value) ? union(mine, value) : (mine ?? value);
    }
    return merged;
}
