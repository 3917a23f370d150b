import { isIP } from "node:net";
import {
    bitString,
    boolean,
    child,
    children,
    content,
    type Der,
    element,
    integer,
    octetString,
    oid,
    sequence,
    set,
    TAG,
    tagged,
} from "./der";

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
        throw new Error(`ipAddresses must be IP addresses (got ${address})`);
    const text = address.replace(/\d+\.[\d.]+$/, groupsOf);
    const [head = [], tail] = text.split("::").map((side) => (side ? side.split(":") : []));
    const zeros = tail ? Array(8 - head.length - tail.length).fill("0") : [];
    const groups = [...head, ...zeros, ...(tail ?? [])];
    return Buffer.from(groups.map((group) => group.padStart(4, "0")).join(""), "hex");
}

// `::ffff:192.0.2.1` and the like: the last two groups are written as an IPv4 address.
function groupsOf(dotted: string): string {
    const hex = ipBytes(dotted).toString("hex");
    return `${hex.slice(0, 4)}:${hex.slice(4)}`;
}

export const SUBJECT_ALTERNATIVE_NAME = "2.5.29.17";
export const SUBJECT_KEY_ID = "2.5.29.14";

export interface AlternativeNames {
    readonly dnsNames?: readonly string[];
    readonly ipAddresses?: readonly string[];
    readonly uris?: readonly string[];
}

/** The allowed uses that are key usage bits; may be empty. */
export function keyUsage(uses: readonly string[]): Der[] {
    const bits = KEY_USAGES.map((usage) => uses.includes(usage));
    const last = bits.lastIndexOf(true);
    if (last < 0) return [];
    const bytes = Buffer.alloc(Math.floor(last / 8) + 1);
    bits.forEach((isSet, bit) => {
        if (isSet) bytes[Math.floor(bit / 8)]! |= 0x80 >> (bit % 8);
    });
    return [extension("2.5.29.15", bitString(bytes, 7 - (last % 8)), { critical: true })];
}

export function extendedKeyUsage(uses: readonly string[]): Der[] {
    const purposes = uses.flatMap((usage) => EXTENDED_KEY_USAGES[usage] ?? []);
    if (!purposes.length) return [];
    return [extension("2.5.29.37", sequence(...purposes.map(oid)))];
}

export function basicConstraints(isCa: boolean, maxPathLength?: number): Der {
    const limit = isCa && maxPathLength !== undefined && maxPathLength >= 0 ? [integer(maxPathLength)] : [];
    return extension("2.5.29.19", sequence(...(isCa ? [boolean(true), ...limit] : [])), { critical: true });
}

export function subjectKeyId(id: Buffer): Der {
    return extension(SUBJECT_KEY_ID, octetString(id));
}

export function authorityKeyId(id: Buffer): Der {
    return extension("2.5.29.35", sequence(tagged(0, id, { constructed: false })));
}

/** The value of a subject alternative name extension; `undefined` if there are no names. */
export function alternativeNames({ dnsNames = [], ipAddresses = [], uris = [] }: AlternativeNames): Der | undefined {
    const names = [
        ...dnsNames.map((name) => tagged(2, Buffer.from(name, "ascii"), { constructed: false })),
        ...ipAddresses.map((address) => tagged(7, ipBytes(address), { constructed: false })),
        ...uris.map((uri) => tagged(6, Buffer.from(uri, "ascii"), { constructed: false })),
    ];
    return names.length ? sequence(...names) : undefined;
}

export function extension(type: string, value: Der, { critical = false } = {}): Der {
    return sequence(oid(type), ...(critical ? [boolean(true)] : []), octetString(value));
}

/** The value of the extension of that type in an `Extensions` sequence. */
export function findExtension(extensions: Der | undefined, type: string): Der | undefined {
    const searched = oid(type);
    const found = extensions && children(extensions).find((candidate) => child(candidate, 0).equals(searched));
    return found && content(children(found).at(-1)!);
}

/** Bits of the key usage extension (RFC 5280 4.2.1.3), by the provider's names. */
const KEY_USAGES: readonly string[] = [
    "digital_signature",
    "content_commitment",
    "key_encipherment",
    "data_encipherment",
    "key_agreement",
    "cert_signing",
    "crl_signing",
    "encipher_only",
    "decipher_only",
];

/** Object identifiers of extended key usages. */
const EXTENDED_KEY_USAGES: Readonly<Record<string, string>> = {
    any_extended: "2.5.29.37.0",
    server_auth: "1.3.6.1.5.5.7.3.1",
    client_auth: "1.3.6.1.5.5.7.3.2",
    code_signing: "1.3.6.1.5.5.7.3.3",
    email_protection: "1.3.6.1.5.5.7.3.4",
    ipsec_end_system: "1.3.6.1.5.5.7.3.5",
    ipsec_tunnel: "1.3.6.1.5.5.7.3.6",
    ipsec_user: "1.3.6.1.5.5.7.3.7",
    timestamping: "1.3.6.1.5.5.7.3.8",
    ocsp_signing: "1.3.6.1.5.5.7.3.9",
    microsoft_server_gated_crypto: "1.3.6.1.4.1.311.10.3.3",
    netscape_server_gated_crypto: "2.16.840.1.113730.4.1",
    microsoft_commercial_code_signing: "1.3.6.1.4.1.311.2.1.22",
    microsoft_kernel_code_signing: "1.3.6.1.4.1.311.61.1.1",
};

export const ALL_USAGES: readonly string[] = [...KEY_USAGES, ...Object.keys(EXTENDED_KEY_USAGES)].sort();
