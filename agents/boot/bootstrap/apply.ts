import type { ApiClient } from "../../../clients/kubernetes/api-client";
import {
    ApiError,
    describeError,
    describePassing,
    isNotFound,
    isTransient,
} from "../../../clients/kubernetes/api-error";
import { waitFor } from "../../harness/wait";
import { Discovery, type KubernetesObject, type ManifestGroup, NoSuchKind, objectName } from "./manifests";
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
function withExpiration(object: KubernetesObject, hours: number, now = Date.now()): KubernetesObject {
    if (object.type !== "bootstrap.kubernetes.io/token" || object.data?.expiration !== undefined) {
        return object;
    }
    const time = new Date(now + hours * 3_600_000).toISOString().replace(/\.\d+Z$/, "Z");
    return { ...object, data: { ...object.data, expiration: Buffer.from(time).toString("base64") } };
}

/** A small machine's apiserver is at its fastest with a few writers. */
const parallelism = 8;

/** Whether an object is to be applied. */
type Wanted = (run: Run, discovery: Discovery, object: KubernetesObject) => Promise<boolean>;

/** Applies groups one after the other, all of their objects or those that are wanted, and says how many objects that were. */
export async function applyGroups(run: Run, groups: readonly ManifestGroup[], isWanted?: Wanted): Promise<string> {
    const discovery = new Discovery(run.api);
    const applied: string[] = [];
    for (const group of groups) {
        applied.push(...(await applyGroup(run, discovery, group, isWanted)));
    }
    const total = groups.reduce((sum, { objects }) => sum + objects.length, 0);
    if (isWanted === undefined) {
        return `${total} objects`;
    }
    return `${applied.length} of ${total} objects were missing${applied.length > 0 ? `: ${applied.join(", ")}` : ""}`;
}

async function applyGroup(
    run: Run,
    discovery: Discovery,
    { objects }: ManifestGroup,
    isWanted: Wanted = async () => true,
): Promise<string[]> {
    const queue = [...objects];
    const applied: string[] = [];
    const errors: string[] = [];
    const work = async () => {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
            const { file, object } = next;
            try {
                if (await isWanted(run, discovery, object)) {
                    await applyObject(run, discovery, withExpiration(object, run.plan.tokens.expiresAfterHours));
                    applied.push(objectName(object));
                }
            } catch (error) {
                errors.push(`${file}: ${describeError(error)}`);
            }
        }
    };
    await Promise.all(Array.from({ length: parallelism }, work));
    if (errors.length > 0) {
        throw new Error(errors.join("; "));
    }
    return applied;
}

/** Whether the cluster lacks an object: it has none of that name, or it is a bootstrap token that has ended. */
export async function isMissing(run: Run, discovery: Discovery, object: KubernetesObject): Promise<boolean> {
    let isThere = false;
    await waitFor(run, `an answer about ${objectName(object)}`, async () => {
        try {
            isThere = !hasEnded(await run.api.call<KubernetesObject>(await discovery.path(object)));
            return undefined;
        } catch (error) {
            return isNotFound(error) || error instanceof NoSuchKind ? undefined : describePassing(error);
        }
    });
    return !isThere;
}

/** A token's Secret stays for a while after its time, and one from a snapshot is as old as that. */
export function hasEnded({ type, data }: KubernetesObject, now = Date.now()): boolean {
    const end = type === "bootstrap.kubernetes.io/token" ? data?.expiration : undefined;
    return end !== undefined && Date.parse(Buffer.from(end, "base64").toString()) <= now;
}
