import type { Operation, Properties } from "../plugin";
import { propagationOf } from "./annotations";
import { awaitGone } from "./await/gone";
import type { Cluster } from "./cluster";
import { ApiError, isNotFound, NoSuchKindError } from "./faults";
import { fieldManagerOf, relinquish } from "./field-manager";
import { type KubernetesObject, toApi } from "./object";
import { liveOf } from "./state";

export interface Deletion extends Operation {
    readonly id: string;
    readonly inputs: KubernetesObject;
    readonly state: Properties;
    readonly isPatch: boolean;
    readonly timeout: number;
}

/** Deletes an object and waits until it is gone; a patch only gives up its fields. */
export async function remove(cluster: Cluster, deletion: Deletion): Promise<void> {
    const { inputs, state, isPatch, signal, log } = deletion;
    const object = toApi(liveOf(state));
    const fieldManager = fieldManagerOf(inputs, state);
    try {
        if (isPatch) await relinquish(cluster, object, fieldManager);
        else {
            await cluster.delete(object, propagationOf(inputs), { signal });
            await awaitGone(cluster, object, deletion);
        }
    } catch (error) {
        if (isNotFound(error) || error instanceof NoSuchKindError) return;
        if (isPatch) throw explained(error);
        if (!(error instanceof ApiError && error.isForbidden)) throw error;
        // Namespaces such as kube-system may not be deleted; what we wrote there may be taken back.
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
