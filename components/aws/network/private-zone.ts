import { invalid, requireMatch } from "../../../cluster/validate";

/** The cluster's own private hosted zone, or the id of one that is there. */
export type PrivateZone = "own" | { readonly id: string };

/** Throws `privateZone must be ..., got ...`. */
export function requirePrivateZone(
    option: string | undefined,
    apiAccess: "public" | "internal",
): PrivateZone | undefined {
    if (option === undefined) return undefined;
    // Who reaches a public API is not in the VPC, and would not find its name.
    if (apiAccess === "public") throw invalid("privateZone", "left out unless apiAccess is internal", option);
    if (option === "own") return option;
    return {
        id: requireMatch("privateZone", /^Z[A-Z0-9]{1,31}$/, "own or a hosted zone's id, such as Z0123456789", option),
    };
}

/** As much of a hosted zone as is looked at. */
export interface FoundZone {
    readonly zoneId: string;
    readonly name: string;
    readonly privateZone?: boolean;
}

/** Its id, if it is private and names of the cluster may be in it. `names` are those of such zones. */
export function requireFoundZone({ zoneId, name, privateZone }: FoundZone, names: readonly string[]): string {
    if (!privateZone) throw invalid("privateZone", "the id of a private hosted zone", zoneId);
    const domain = name.replace(/\.$/, "");
    if (!names.includes(domain)) {
        throw invalid("privateZone", `that of a hosted zone of ${names.join(" or ")}, and not of ${domain}`, zoneId);
    }
    return zoneId;
}
