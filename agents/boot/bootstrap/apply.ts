import { patch } from "../../../clients/kubernetes/api-client";
import {
    ApiError,
    describeError,
    describePassing,
    isExisting,
    isNotFound,
    isTransient,
} from "../../../clients/kubernetes/api-error";
import { Discovery, NoSuchKind } from "../../../clients/kubernetes/discovery";
import { titleOf } from "../../../clients/kubernetes/objects";
import { waitFor } from "../../harness/wait";
import type { KubernetesObject, ManifestGroup } from "./manifests";
import type { Run } from "./run";

/** Applies an object server-side, with retries while a rejection may be transient. */
export async function applyObject(run: Run, discovery: Discovery, object: KubernetesObject): Promise<void> {
    const fieldManager = encodeURIComponent(run.plan.fieldManager);
    const observe = async () => {
        try {
            const path = await discovery.path(object);
            await patch(run.api, `${path}?fieldManager=${fieldManager}&force=true`, "apply", object);
            return undefined;
        } catch (error) {
            // Of two writers that create the same object at once, the later one is refused, and may then change it.
            const mayPass = isTransient(error) || isExisting(error);
            if (mayPass || error instanceof NoSuchKind || isAddressTaken(error)) {
                return describeError(error);
            }
            throw new Error(`${titleOf(object)}: ${describeError(error)}`, { cause: error });
        }
    };
    await waitFor(run, `${titleOf(object)} to be accepted`, observe, { slowTo: 1_000 });
}

/**
 * An apiserver that dies while it creates a Service leaves the Service's address allocated to no Service. The next
 * apiserver's repair frees it a minute later (Kubernetes' `repairip.go`, 1.36).
 */
function isAddressTaken(error: unknown): boolean {
    return (
        error instanceof ApiError && error.status === 422 && error.message.includes("provided IP is already allocated")
    );
}

/**
 * Sets an expiry, counted from now, on a bootstrap token that has none.
 *
 * The manifest was rendered elsewhere some time ago and must not change with the clock.
 */
function withExpiration(object: KubernetesObject, hours: number, now = Date.now()): KubernetesObject {
    if (object.type !== "bootstrap.kubernetes.io/token" || object.data?.expiration !== undefined) {
        return object;
    }
    const time = new Date(now + hours * 3_600_000).toISOString().replace(/\.\d+Z$/, "Z");
    return { ...object, data: { ...object.data, expiration: Buffer.from(time).toString("base64") } };
}

/** A small machine's apiserver is fastest with a few writers. */
const parallelism = 8;

/** Whether to apply an object. */
type Selection = (run: Run, discovery: Discovery, object: KubernetesObject) => Promise<boolean>;

/** Applies groups in order, all of their objects or those selected, and returns a summary. */
export async function applyGroups(run: Run, groups: readonly ManifestGroup[], isSelected?: Selection): Promise<string> {
    const discovery = new Discovery(run.api);
    const applied: string[] = [];
    for (const group of groups) {
        applied.push(...(await applyGroup(run, discovery, group, isSelected)));
    }
    const total = groups.reduce((sum, { objects }) => sum + objects.length, 0);
    if (isSelected === undefined) {
        return `${total} objects`;
    }
    return `${applied.length} of ${total} objects were missing${applied.length > 0 ? `: ${applied.join(", ")}` : ""}`;
}

async function applyGroup(
    run: Run,
    discovery: Discovery,
    { objects }: ManifestGroup,
    isSelected: Selection = async () => true,
): Promise<string[]> {
    const queue = [...objects];
    const applied: string[] = [];
    const errors: string[] = [];
    const work = async () => {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
            const { file, object } = next;
            try {
                if (await isSelected(run, discovery, object)) {
                    await applyObject(run, discovery, withExpiration(object, run.plan.tokens.expiresAfterHours));
                    applied.push(titleOf(object));
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

/** Whether the cluster lacks an object: none has that name, or it is an expired bootstrap token. */
export async function isMissing(run: Run, discovery: Discovery, object: KubernetesObject): Promise<boolean> {
    let isThere = false;
    await waitFor(run, `an answer about ${titleOf(object)}`, async () => {
        try {
            isThere = !hasEnded(await run.api.call<KubernetesObject>(await discovery.path(object)));
            return undefined;
        } catch (error) {
            return isNotFound(error) || error instanceof NoSuchKind ? undefined : describePassing(error);
        }
    });
    return !isThere;
}

/** A token's Secret stays for a while after it expires, and one from a snapshot may have expired. */
export function hasEnded({ type, data }: KubernetesObject, now = Date.now()): boolean {
    const end = type === "bootstrap.kubernetes.io/token" ? data?.expiration : undefined;
    return end !== undefined && Date.parse(Buffer.from(end, "base64").toString()) <= now;
}
