import { invalid, requireMatch } from "../../../cluster/validate";

/** The cluster's own private hosted zone, or the id of an existing one. */
export type PrivateZone = "own" | { readonly id: string };

/** Throws `privateZone must be ..., got ...`. */
export function requirePrivateZone(
    option: string | undefined,
    apiAccess: "public" | "internal",
): PrivateZone | undefined {
    if (option === undefined) return undefined;
    // Clients of a public API are not in the VPC and could not resolve its name.
    if (apiAccess === "public") throw invalid("privateZone", "omitted unless apiAccess is internal", option);
    if (option === "own") return option;
    return {
        id: requireMatch("privateZone", /^Z[A-Z0-9]{1,31}$/, "own or a hosted zone id, such as Z0123456789", option),
    };
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
