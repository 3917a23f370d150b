import type { ApiClient } from "../common/api-client";
import { ApiError, describeError, isTransient } from "../common/api-error";
import { waitFor } from "../common/wait";
import { type Discovery, NoSuchKind } from "./discovery";
import { type KubernetesObject, objectName } from "./manifests";
import type { Run } from "./run";

/** Applies an object server-side, again and again while the refusal may be a passing one. */
export async function applyObject(run: Run, discovery: Discovery, object: KubernetesObject): Promise<void> {
    const look = async () => {
        try {
            await patch(run.api, discovery, object, run.plan.fieldManager);
            return undefined;
        } catch (error) {
            if (isTransient(error) || error instanceof NoSuchKind || isAddressTaken(error)) {
                return describeError(error);
            }
            throw new Error(`${objectName(object)}: ${describeError(error)}`, { cause: error });
        }
    };
    await waitFor(run, `${objectName(object)} to be accepted`, look, { slowTo: 1_000 });
}

/**
 * An apiserver that dies while it creates a Service leaves the Service's address taken by nobody. It is freed a minute later, by
 * the repair of the next apiserver (Kubernetes' `repairip.go`, 1.36).
 */
function isAddressTaken(error: unknown): boolean {
    return (
        error instanceof ApiError && error.status === 422 && error.message.includes("provided IP is already allocated")
    );
}

async function patch(
    api: ApiClient,
    discovery: Discovery,
    object: KubernetesObject,
    fieldManager: string,
): Promise<void> {
    const path = await discovery.path(object);
    await api.call(`${path}?fieldManager=${encodeURIComponent(fieldManager)}&force=true`, {
        method: "PATCH",
        // JSON is YAML.
        contentType: "application/apply-patch+yaml",
        body: object,
    });
}

/**
 * Gives a bootstrap token without an expiry one, counted from now.
 *
 * The manifest was made on someone's machine some time ago and must not change with the clock.
 */
export function withExpiration(object: KubernetesObject, hours: number, now = Date.now()): KubernetesObject {
    if (object.type !== "bootstrap.kubernetes.io/token" || object.data?.expiration !== undefined) {
        return object;
    }
    const time = new Date(now + hours * 3_600_000).toISOString().replace(/\.\d+Z$/, "Z");
    return { ...object, data: { ...object.data, expiration: Buffer.from(time).toString("base64") } };
}
