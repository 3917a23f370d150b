import { randomBytes } from "node:crypto";
import { containsUnknown, type Operation, type Properties } from "../protocol/serve";
import { isAnnotated } from "./annotations";
import { awaitReady } from "./await";
import type { Cluster } from "./cluster";
import type { Config } from "./config";
import { ApiError, ConnectionError, NoSuchKindError } from "./faults";
import { CREATOR, fieldManagerOf } from "./field-manager";
import { idOf, isCustomResourceDefinition, type KubernetesObject, kindOf, toApi } from "./object";
import { retry } from "./retry";
import { recordOf } from "./state";
import { conflictError } from "./update";

export interface Creation extends Operation {
    readonly inputs: KubernetesObject;
    readonly isPatch: boolean;
    readonly timeout: number;
}

// Another resource may just be creating the object's namespace or definition.
const MISORDER_PATIENCE = 10_000;

/** Creates an object and waits until it is ready. */
export async function create(cluster: Cluster, config: Config, creation: Creation) {
    const { inputs, urn, secrets, log, signal } = creation;
    const fieldManager = fieldManagerOf(inputs, {});
    const created = await retry(() => submit(cluster, config, creation, fieldManager, false), {
        within: MISORDER_PATIENCE,
        signal,
        when: isMisordered,
        onRetry: (error, attempt) => log.status(`Retry #${attempt + 1}; creation failed: ${error.message}`),
    }).catch((error) => {
        throw explained(error as Error, urn, inputs);
    });
    const id = idOf(created);
    const record = (live: KubernetesObject) => recordOf(live, inputs, { fieldManager, secrets });
    const live = await awaitReady(cluster, created, {
        ...creation,
        record,
        id,
        prefix:
            `resource "${urn}" was successfully created, but the Kubernetes API server reported that it failed to ` +
            "fully initialize or become live",
    });
    if (isCustomResourceDefinition(inputs)) cluster.forgetKinds();
    return { id, state: record(live) };
}

/** The API server's dry-run result, or the inputs if that is not possible yet. */
export async function previewCreate(cluster: Cluster, config: Config, creation: Creation): Promise<Properties> {
    const { inputs, isPatch, secrets, urn } = creation;
    const isKnown = !containsUnknown(inputs) && (await cluster.serves(kindOf(inputs)));
    if (!isKnown || isPatch || !config.enableServerSideApply) return inputs;
    const fieldManager = fieldManagerOf(inputs, {});
    const dryRun = async (attempt: Creation) => {
        const { status: _, ...live } = await submit(cluster, config, attempt, fieldManager, true);
        return recordOf(live, attempt.inputs, { fieldManager, secrets });
    };
    try {
        return await dryRun(creation).catch((error) => {
            if (!isImmutable(error)) throw error;
            // The object to be replaced still exists. The official plugin tries another name, too.
            const metadata = { ...inputs.metadata, name: `${inputs.metadata?.name}${randomBytes(3).toString("hex")}` };
            return dryRun({ ...creation, inputs: { ...inputs, metadata } });
        });
    } catch (error) {
        if (isNoPreviewMatter(error)) return inputs;
        throw explained(error as Error, urn, inputs);
    }
}

function submit(
    cluster: Cluster,
    config: Config,
    { inputs, isPatch, signal }: Creation,
    fieldManager: string,
    isDryRun: boolean,
): Promise<KubernetesObject> {
    const object = toApi(inputs);
    const isApplied = config.enableServerSideApply && (isPatch || config.upsertExistingObjects);
    if (!isApplied) return post(cluster, object, { isDryRun, signal });
    // In a preview an object to be replaced still exists, with its owners.
    const force = isDryRun || config.enablePatchForce || isAnnotated(inputs, "patchForce");
    return cluster.apply(object, { fieldManager, force, isDryRun, signal }).catch((error) => {
        throw conflictError(error, fieldManager);
    });
}

/** Creates an object; if the response was lost and the object exists on the second try, it is the one we created. */
function post(cluster: Cluster, object: KubernetesObject, call: { isDryRun: boolean; signal: AbortSignal }) {
    let isUncertain = false;
    const attempt = async () => {
        try {
            return await cluster.create(object, { ...call, fieldManager: CREATOR });
        } catch (error) {
            if (isUncertain && error instanceof ApiError && error.isAlreadyExists) return cluster.get(object, call);
            isUncertain ||= error instanceof ConnectionError && error.wasSent;
            throw error;
        }
    };
    return retry(attempt, { within: 15_000, signal: call.signal });
}

function isMisordered(error: unknown): boolean {
    return error instanceof NoSuchKindError || (error instanceof ApiError && error.isNotFound);
}

function isImmutable(error: unknown): boolean {
    return error instanceof ApiError && error.status === 422 && error.message.includes("field is immutable");
}

function isNoPreviewMatter(error: unknown): boolean {
    if (!(error instanceof ApiError)) return false;
    const isDryRunUnsupported = error.status === 400 && /does not support dry run/.test(error.message);
    return error.isForbidden || error.isAlreadyExists || error.isNotFound || isDryRunUnsupported;
}

function explained(error: Error, urn: string, { apiVersion, kind }: KubernetesObject): Error {
    if (error instanceof NoSuchKindError) {
        return new Error(
            `creation of resource "${urn}" with kind ${apiVersion}/${kind} failed because the Kubernetes API server ` +
                "reported that the apiVersion for this resource does not exist. Verify that any required CRDs have " +
                `been created: ${error.message}`,
        );
    }
    const isThere = error instanceof ApiError && error.isAlreadyExists;
    const advice = isThere ? "; to adopt existing objects, set upsertExistingObjects on the provider" : "";
    const prefix = `resource "${urn}" was not successfully created by the Kubernetes API server`;
    return new Error(`${prefix}: ${error.message}${advice}`, { cause: error });
}
