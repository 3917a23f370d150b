import type { Operation, Properties } from "../plugin";
import { containsUnknown } from "../plugin";
import { isAnnotated } from "./annotations";
import { awaitReady } from "./await";
import type { Cluster } from "./cluster";
import type { Config } from "./config";
import { conflictError } from "./conflict";
import { isCustomResourceDefinition } from "./definition";
import { ApiError } from "./faults";
import { fieldManagerOf, hasPredecessors, relinquish, takeOver } from "./field-manager";
import { kindOf } from "./kind";
import { mergePatch } from "./merge-patch";
import { type KubernetesObject, toApi, withMetadata } from "./object";
import { liveOf, recordOf } from "./state";

export interface Update extends Operation {
    readonly id: string;
    readonly inputs: KubernetesObject;
    readonly oldInputs: KubernetesObject;
    readonly state: Properties;
    readonly isPatch: boolean;
    readonly timeout: number;
}

/** Brings an object to what the program says and waits until it is ready. */
export async function update(cluster: Cluster, config: Config, change: Update): Promise<Properties> {
    const { id, inputs, state, urn, secrets } = change;
    const fieldManager = fieldManagerOf(inputs, state);
    const record = (live: KubernetesObject) => recordOf(live, inputs, { fieldManager, secrets });
    const updated = await submit(cluster, config, change, fieldManager, false).catch((error) => {
        throw new Error(`update of resource "${urn}" failed: ${error.message}`, { cause: error });
    });
    const prefix = `the Kubernetes API server reported that "${id}" failed to fully initialize or become live`;
    const live = await awaitReady(cluster, updated, { ...change, record, id, prefix });
    const oldManager = state.__fieldManager;
    if (typeof oldManager === "string" && oldManager !== fieldManager && config.enableServerSideApply) {
        await relinquish(cluster, live, oldManager);
    }
    return record(live);
}

/** What the API server would make of it, or the inputs where that cannot be known yet. */
export async function previewUpdate(cluster: Cluster, config: Config, change: Update): Promise<Properties> {
    const { inputs, state, secrets, urn } = change;
    const isKnown = !containsUnknown(inputs) && (await cluster.serves(kindOf(inputs)));
    if (!isKnown) return inputs;
    const fieldManager = fieldManagerOf(inputs, state);
    try {
        const live = await submit(cluster, config, change, fieldManager, true);
        return recordOf(live, inputs, { fieldManager, secrets });
    } catch (error) {
        if (error instanceof ApiError && error.isForbidden) return inputs;
        throw new Error(`update of resource "${urn}" failed: ${(error as Error).message}`, { cause: error });
    }
}

async function submit(
    cluster: Cluster,
    config: Config,
    change: Update,
    fieldManager: string,
    isDryRun: boolean,
): Promise<KubernetesObject> {
    const { inputs, oldInputs, state, isPatch, signal } = change;
    const object = toApi(inputs);
    const live = await cluster.get(toApi(withMetadata(object, { name: liveOf(state).metadata?.name })), { signal });
    if (isCustomResourceDefinition(object)) {
        const { resourceVersion } = live.metadata ?? {};
        return cluster.replace(withMetadata(object, { resourceVersion }), { fieldManager, isDryRun, signal });
    }
    if (!config.enableServerSideApply) {
        const query = { fieldManager, dryRun: isDryRun ? "All" : undefined };
        const body = mergePatch(toApi(oldInputs), object);
        return cluster.patch(object, "application/merge-patch+json", body, { query, signal });
    }
    // Only a real update may take over, so a preview of one has to look away.
    const isTakeOver = !isPatch && hasPredecessors(live);
    if (isTakeOver && !isDryRun) await takeOver(cluster, live, fieldManager);
    const force = isAnnotated(inputs, "patchForce") || config.enablePatchForce || (isDryRun && isTakeOver);
    return cluster.apply(object, { fieldManager, force, isDryRun, signal }).catch((error) => {
        throw conflictError(error, fieldManager);
    });
}
