import { cloudOf } from "../cluster/clouds";
import type { ClusterState } from "./state";

/** An operation that was in progress when a run was killed, as the state records it. */
export interface PendingOperation {
    /** Such as `creating`. */
    readonly type: string;
    readonly resource: { readonly urn: string; readonly type: string };
}

/** Whether a type's creation may be repeated: the second one finds what the first one created, or replaces it. */
const isRepeatable = (type: string) => /^(command|kubernetes|tls|random|pulumi|tradewind):/.test(type);

/** A type of resource that exists in an account. */
export function isInAccount(type: string): boolean {
    return type.includes(":") && !isRepeatable(type);
}

/** Creations whose result may exist without being in the state. */
export function lostCreates(pending: readonly PendingOperation[]): PendingOperation[] {
    return pending.filter(({ type, resource }) => type === "creating" && isInAccount(resource.type));
}

/** `Droplet lab-controller-0`. */
export function nameOf({ urn, type }: PendingOperation["resource"]): string {
    return `${type.split(":").at(-1)} ${urn.split("::").at(-1)}`;
}

/** Why a change must not start while creations are unfinished, and what to do. */
export function lostCreatesAdvice({ name }: ClusterState, lost: readonly PendingOperation[]): string {
    const cloud = lost[0]!.resource.type.split(":")[0]!;
    const again = `npm run pulumi -- --name ${name}`;
    return [
        "the previous run was killed while it created these resources, so each may exist and cost money without being in the state:",
        ...lost.map(({ resource }) => `  ${nameOf(resource)}`),
        "List what exists with",
        ...(cloudOf(cloud)?.listingCommands(name) ?? []).map((command) => `  ${command}`),
        "Delete each of them that exists, then forget the unfinished creations with",
        `  ${again} refresh --clear-pending-creates`,
    ].join("\n");
}
