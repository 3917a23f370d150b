import { isIP } from "node:net";
import { type Der, element, oid, sequence, set, TAG } from "./der";

/** A distinguished name, in the provider's terms. */
export interface Subject {
    readonly country?: string;
    readonly organization?: string;
    readonly organizationalUnit?: string;
    readonly locality?: string;
    readonly province?: string;
    readonly streetAddresses?: readonly string[];
    readonly postalCode?: string;
    readonly commonName?: string;
    readonly serialNumber?: string;
    readonly emailAddress?: string;
}

// In the order in which Go writes a pkix.Name, so that names are equal to those of the official provider.
const ATTRIBUTES: readonly (readonly [keyof Subject, string])[] = [
    ["country", "2.5.4.6"],
    ["organization", "2.5.4.10"],
    ["organizationalUnit", "2.5.4.11"],
    ["locality", "2.5.4.7"],
    ["province", "2.5.4.8"],
    ["streetAddresses", "2.5.4.9"],
    ["postalCode", "2.5.4.17"],
    ["commonName", "2.5.4.3"],
    ["serialNumber", "2.5.4.5"],
    ["emailAddress", "1.2.840.113549.1.9.1"],
];

export function name(subject: Subject): Der {
    const parts = ATTRIBUTES.flatMap(([key, type]) => {
        const values = [subject[key] ?? []].flat() as string[];
        return values.map((value) => set(sequence(oid(type), text(value))));
    });
    return sequence(...parts);
}

function text(value: string): Der {
    const isPrintable = /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(value);
    return element(isPrintable ? TAG.printableString : TAG.utf8String, Buffer.from(value, "utf8"));
}

/** An address as four or sixteen bytes. */
export function ipBytes(address: string): Buffer {
    if (isIP(address) === 4) return Buffer.from(address.split(".").map(Number));
    if (isIP(address) !== 6 || address.includes("%"))
        throw new Error(`ipAddresses must be IP addresses, got ${address}`);
    const text = address.replace(/\d+\.[\d.]+$/, groupsOf);
    const [head, tail] = text.split("::").map((side) => (side ? side.split(":") : []));
    const zeros = tail ? Array(8 - head.length - tail.length).fill("0") : [];
    const groups = [...head, ...zeros, ...(tail ?? [])];
    return Buffer.from(groups.map((group) => group.padStart(4, "0")).join(""), "hex");
}

// `::ffff:192.0.2.1` and the like: the last two groups are written as an IPv4 address.
function groupsOf(dotted: string): string {
    const hex = ipBytes(dotted).toString("hex");
    return `${hex.slice(0, 4)}:${hex.slice(4)}`;
}
