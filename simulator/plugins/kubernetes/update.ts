import { isDeepStrictEqual } from "node:util";
import { containsUnknown, InitializationError, isObject, type Operation, type Properties } from "../protocol/serve";
import { isAnnotated } from "./annotations";
import { awaitReady } from "./await";
import type { Cluster } from "./cluster";
import type { Config } from "./config";
import { ApiError, NoSuchKindError } from "./faults";
import { fieldManagerOf, relinquish, takeOver, wasWrittenByPlugin } from "./field-manager";
import { isCustomResourceDefinition, type KubernetesObject, kindOf, toApi, withMetadata } from "./object";
import { liveOf, recordOf } from "./state";

interface Update extends Operation {
    readonly id: string;
    readonly inputs: KubernetesObject;
    readonly oldInputs: KubernetesObject;
    readonly state: Properties;
    readonly isPatch: boolean;
    readonly timeout: number;
}

/** Updates an object to match the program and waits until it is ready. */
export async function update(cluster: Cluster, config: Config, change: Update): Promise<Properties> {
    const { id, inputs, state, urn, secrets, signal } = change;
    const fieldManager = fieldManagerOf(inputs, state);
    const record = (live: KubernetesObject) => recordOf(live, inputs, { fieldManager, secrets });
    const prefix = `the Kubernetes API server reported that "${id}" failed to fully initialize or become live`;
    const updated = await submit(cluster, config, change, fieldManager, false).catch(async (error: Error) => {
        if (error instanceof NoSuchKindError) throw failure(urn, error);
        // Like the official plugin: even if the update was rejected, it records the program's inputs and the live
        // object.
        const live = await cluster.get(toApi(liveOf(state)), { signal }).catch((unread: Error) => {
            throw new Error(`${failure(urn, error).message}\nunable to get cluster state: ${unread.message}`);
        });
        throw new InitializationError(`${prefix}: ${error.message}`, id, record(live));
    });
    const live = await awaitReady(cluster, updated, { ...change, record, id, prefix });
    const oldManager = state.__fieldManager;
    if (typeof oldManager === "string" && oldManager !== fieldManager && config.enableServerSideApply) {
        await relinquish(cluster, live, oldManager);
    }
    return record(live);
}

/** The API server's dry-run result, or the inputs if that is not possible yet. */
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
        throw failure(urn, error as Error);
    }
}

function failure(urn: string, cause: Error): Error {
    return new Error(`update of resource "${urn}" failed: ${cause.message}`, { cause });
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
    if (!isPatch && !isDryRun) await takeOver(cluster, live, fieldManager);
    // Only a real update may take over: its preview ignores conflicts with this plugin's own fields, and no others.
    const isOwn = isDryRun && wasWrittenByPlugin(live);
    const force = isAnnotated(inputs, "patchForce") || config.enablePatchForce || isOwn;
    return cluster.apply(object, { fieldManager, force, isDryRun, signal }).catch((error) => {
        throw conflictError(error, fieldManager);
    });
}

const GUIDE =
    "https://www.pulumi.com/registry/packages/kubernetes/how-to-guides/managing-resources-with-server-side-apply/" +
    "#handle-field-conflicts-on-existing-resources";

/** Adds the field manager and a link to a field conflict; other errors stay as they are. */
export function conflictError(error: unknown, fieldManager: string): unknown {
    if (!(error instanceof ApiError) || !error.isConflict) return error;
    return new Error(
        `Server-Side Apply field conflict detected. See ${GUIDE} for troubleshooting help.\n` +
            `The resource managed by field manager "${fieldManager}" had an apply conflict: ${error.message}`,
        { cause: error },
    );
}

/** The JSON merge patch (RFC 7386) from one object to another; removed fields are null. */
export function mergePatch(before: Properties, after: Properties): Properties {
    const patch: Properties = {};
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
        const [old, value] = [before[key], after[key]];
        if (isDeepStrictEqual(old, value)) continue;
        patch[key] = isObject(old) && isObject(value) ? mergePatch(old, value) : (value ?? null);
    }
    return patch;
}
