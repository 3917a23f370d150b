import { setTimeout as sleep } from "node:timers/promises";
import type { Log, Operation, Properties } from "../protocol/serve";
import { isAnnotated, propagationOf, timeoutOf } from "./annotations";
import { FIVE_MINUTES, TEN_MINUTES } from "./await/readiness";
import type { Cluster } from "./cluster";
import { ApiError, isNotFound, isPassing, NoSuchKindError } from "./faults";
import { fieldManagerOf, relinquish } from "./field-manager";
import {
    apiVersionOf,
    at,
    fromApi,
    idOf,
    type KubernetesObject,
    parseId,
    parseType,
    toApi,
    withMetadata,
} from "./object";
import { reconcile } from "./reconcile";
import { liveOf, marked, recordOf } from "./state";

interface Reading extends Operation {
    readonly id: string;
    /** Empty on import. */
    readonly inputs: KubernetesObject;
    readonly state: Properties;
}

const BOOKKEEPING = {
    creationTimestamp: undefined,
    generation: undefined,
    managedFields: undefined,
    resourceVersion: undefined,
    uid: undefined,
};

/** The current object; `undefined` if it does not exist. */
export async function read(cluster: Cluster, { type, id, inputs, state, secrets, signal }: Reading) {
    const kind = parseType(type);
    const recorded = liveOf(state);
    const isImport = !inputs.kind && !recorded.kind;
    const { apiVersion = apiVersionOf(kind), kind: kindName = kind.kind } = inputs.kind ? inputs : recorded;
    const identity = { apiVersion, kind: kindName, metadata: parseId(id) };
    const live = await cluster.get(identity, { signal }).catch((error) => {
        if (isNotFound(error) || error instanceof NoSuchKindError) return undefined;
        throw error;
    });
    if (!live) return undefined;
    const observed = fromApi(isImport ? importable(live) : reconcile(toApi(inputs), live, "drop"));
    const fieldManager = fieldManagerOf(inputs, state);
    return {
        id: id || idOf(live),
        state: recordOf(live, observed, { fieldManager, secrets }),
        inputs: marked(observed, secrets),
    };
}

// The inputs a program could have written to get this object.
function importable(live: KubernetesObject): KubernetesObject {
    const { status: _, ...object } = withMetadata(live, BOOKKEEPING);
    const { annotations, ...metadata } = object.metadata ?? {};
    const generated = ["deployment.kubernetes.io/revision", "kubectl.kubernetes.io/last-applied-configuration"];
    const kept = Object.entries(annotations ?? {}).filter(([name]) => !generated.includes(name));
    return { ...object, metadata: kept.length ? { ...metadata, annotations: Object.fromEntries(kept) } : metadata };
}

interface Deletion extends Operation {
    readonly id: string;
    readonly inputs: KubernetesObject;
    readonly state: Properties;
    readonly isPatch: boolean;
    readonly timeout: number;
}

/** Deletes an object and waits until it no longer exists; a patch only gives up its fields. */
export async function remove(cluster: Cluster, deletion: Deletion): Promise<void> {
    const { inputs, state, isPatch, signal, log } = deletion;
    const object = toApi(liveOf(state));
    const fieldManager = fieldManagerOf(inputs, state);
    try {
        if (isPatch) await relinquish(cluster, object, fieldManager);
        else {
            await cluster.delete(object, propagationOf(inputs), { signal });
            await awaitDeletion(cluster, object, deletion);
        }
    } catch (error) {
        if (isNotFound(error) || error instanceof NoSuchKindError) return;
        if (isPatch) throw explained(error);
        if (!(error instanceof ApiError && error.isForbidden)) throw error;
        // Namespaces such as kube-system cannot be deleted, but our fields in them can be removed.
        await relinquish(cluster, object, fieldManager).catch(() => {
            throw error;
        });
        log.warn(`left in the cluster, without the fields that this program set: ${error.message}`);
    }
}

function explained(error: unknown): unknown {
    const [field] = error instanceof ApiError ? error.causes("FieldValueRequired") : [];
    if (!field) return error;
    return new Error(
        "this Patch resource is currently managing a required field, so it can't be deleted directly. Either set the " +
            `\`retainOnDelete\` resource option, or transfer ownership of the field before deleting: ${field}`,
        { cause: error },
    );
}

interface DeletionWait {
    readonly inputs: KubernetesObject;
    readonly timeout: number;
    readonly log: Log;
    readonly signal: AbortSignal;
}

const WORKLOADS = new Set(["DaemonSet", "Deployment", "StatefulSet", "ReplicationController"]);
const SKIPPABLE = new Set([...WORKLOADS, "Namespace", "Pod", "Job"]);

/** Waits until an object no longer exists, or was replaced by another one of the same name. */
async function awaitDeletion(cluster: Cluster, object: KubernetesObject, wait: DeletionWait): Promise<void> {
    const { kind = "", metadata: { name, uid } = {} } = object;
    const { inputs, timeout, log, signal } = wait;
    if (isAnnotated(inputs, "skipAwait") && SKIPPABLE.has(kind)) return;
    const end = Date.now() + timeoutOf(inputs, timeout, WORKLOADS.has(kind) ? TEN_MINUTES : FIVE_MINUTES) * 1000;
    let shown = "";
    for (let pause = 20; ; pause = Math.min(pause * 2, 1000)) {
        const live = await cluster.get(object, { signal }).catch((error) => {
            if (isNotFound(error) || error instanceof NoSuchKindError) return undefined;
            if (!isPassing(error)) throw error;
            return object;
        });
        if (!live || (uid && live.metadata?.uid !== uid)) return shown ? log.status("") : undefined;
        const message = `${kind} "${name}" still exists${detail(live)}`;
        if (message !== shown) log.status(message);
        shown = message;
        if (Date.now() > end) throw new Error(`timed out waiting for deletion of ${kind} "${name}"${detail(live)}`);
        await sleep(pause, undefined, { signal });
    }
}

// An object is usually kept after its deletion by finalizers.
function detail(live: KubernetesObject): string {
    const finalizers = at(live, "metadata", "finalizers");
    const waits = Array.isArray(finalizers) && finalizers.length ? `waits for ${finalizers.join(", ")}` : undefined;
    const phase = at(live, "status", "phase");
    const parts = [phase && String(phase), waits].filter(Boolean);
    return parts.length ? ` (${parts.join(", ")})` : "";
}
