import type { Input } from "@pulumi/pulumi";
import { conflictsWith, invalid, requireMatch, requires } from "../../../cluster/validate";
import { isLate, requireLate, shown } from "../../pulumi/late";

/** The cluster's own private hosted zone, or the id of an existing one. */
export type PrivateZone = "own" | { readonly id: Input<string> };

const zoneId = /^Z[A-Z0-9]{1,31}$/;

/** Throws `privateZone must be ... (got ...)`. */
export function requirePrivateZone(
    option: Input<string> | undefined,
    apiAccess: "public" | "internal",
): PrivateZone | undefined {
    if (option === undefined) return undefined;
    // Clients of a public API are not in the VPC and could not resolve its name.
    if (apiAccess === "public") throw requires("privateZone", "apiAccess internal", shown(option));
    if (option === "own") return option;
    const legal = `${isLate(option) ? "" : "own or "}a hosted zone id, such as Z0123456789`;
    return { id: requireLate(option, (id) => requireMatch("privateZone", zoneId, legal, id)) };
}

/** Throws `publicZone must be ... (got ...)`. */
export function requirePublicZone(
    option: Input<string> | undefined,
    privateZone: PrivateZone | undefined,
): Input<string> | undefined {
    if (option === undefined) return undefined;
    if (privateZone !== undefined) throw conflictsWith("publicZone", "privateZone", shown(option));
    const legal = "a hosted zone id, such as Z0123456789";
    return requireLate(option, (id) => requireMatch("publicZone", zoneId, legal, id));
}

/** The properties of a hosted zone that are checked. */
export interface FoundZone {
    readonly zoneId: string;
    readonly name: string;
    readonly privateZone?: boolean;
}

/**
 * Returns the id of a zone that was given by an option, if it is private or public as the option says and has one of the
 * names, those of zones in which the cluster's own names may be.
 */
export function requireFoundZone(
    option: "privateZone" | "publicZone",
    { zoneId, name, privateZone = false }: FoundZone,
    names: readonly string[],
): string {
    const kind = option === "privateZone" ? "private" : "public";
    if (privateZone !== (kind === "private")) throw invalid(option, `the id of a ${kind} hosted zone`, zoneId);
    const domain = name.replace(/\.$/, "");
    if (names.includes(domain)) return zoneId;
    throw invalid(option, `the id of a hosted zone for ${names.join(" or ")}, not for ${domain}`, zoneId);
}
