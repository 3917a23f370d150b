import type { Input } from "@pulumi/pulumi";
import { invalid, requireMatch } from "../../../cluster/validate";
import { isLate, requireLate, shown } from "../../pulumi/late";

/** The cluster's own private hosted zone, or the id of an existing one. */
export type PrivateZone = "own" | { readonly id: Input<string> };

const zoneId = /^Z[A-Z0-9]{1,31}$/;

/** Throws `privateZone must be ..., got ...`. */
export function requirePrivateZone(
    option: Input<string> | undefined,
    apiAccess: "public" | "internal",
): PrivateZone | undefined {
    if (option === undefined) return undefined;
    // Clients of a public API are not in the VPC and could not resolve its name.
    if (apiAccess === "public") throw invalid("privateZone", "omitted unless apiAccess is internal", shown(option));
    if (option === "own") return option;
    const legal = `${isLate(option) ? "" : "own or "}a hosted zone id, such as Z0123456789`;
    return { id: requireLate(option, (id) => requireMatch("privateZone", zoneId, legal, id)) };
}

/** Throws `publicZone must be ..., got ...`. */
export function requirePublicZone(
    option: Input<string> | undefined,
    privateZone: PrivateZone | undefined,
): Input<string> | undefined {
    if (option === undefined) return undefined;
    if (privateZone !== undefined) throw invalid("publicZone", "omitted with privateZone", shown(option));
    const legal = "a hosted zone id, such as Z0123456789";
    return requireLate(option, (id) => requireMatch("publicZone", zoneId, legal, id));
}

/** The properties of a hosted zone that are checked. */
export interface FoundZone {
    readonly zoneId: string;
    readonly name: string;
    readonly privateZone?: boolean;
}

/** Returns its id if it is private and suits the cluster's names. `names` are the possible zone names. */
export function requireFoundZone({ zoneId, name, privateZone }: FoundZone, names: readonly string[]): string {
    if (!privateZone) throw invalid("privateZone", "the id of a private hosted zone", zoneId);
    const domain = name.replace(/\.$/, "");
    if (!names.includes(domain)) {
        throw invalid("privateZone", `the id of a hosted zone for ${names.join(" or ")}, not for ${domain}`, zoneId);
    }
    return zoneId;
}

/** Returns the id of a public zone for the domain. */
export function requirePublic({ zoneId: id, name, privateZone }: FoundZone, domain: string): string {
    const found = name.replace(/\.$/, "");
    if (privateZone) throw invalid("publicZone", "the id of a public hosted zone", id);
    if (found !== domain) throw invalid("publicZone", `the id of the hosted zone for ${domain}, not for ${found}`, id);
    return id;
}
