import { bitString, boolean, children, content, type Der, integer, octetString, oid, sequence, tagged } from "./der";
import { ipBytes } from "./ip";
import { EXTENDED_KEY_USAGES, KEY_USAGES } from "./usages";

export const SUBJECT_ALTERNATIVE_NAME = "2.5.29.17";
export const SUBJECT_KEY_ID = "2.5.29.14";

export interface AlternativeNames {
    readonly dnsNames?: readonly string[];
    readonly ipAddresses?: readonly string[];
    readonly uris?: readonly string[];
}

/** Those of the allowed uses that are key usage bits; none, none. */
export function keyUsage(uses: readonly string[]): Der[] {
    const bits = KEY_USAGES.map((usage) => uses.includes(usage));
    const last = bits.lastIndexOf(true);
    if (last < 0) return [];
    const bytes = Buffer.alloc(Math.floor(last / 8) + 1);
    bits.forEach((isSet, bit) => {
        if (isSet) bytes[Math.floor(bit / 8)] |= 0x80 >> (bit % 8);
    });
    return [extension("2.5.29.15", bitString(bytes, 7 - (last % 8)), { critical: true })];
}

export function extendedKeyUsage(uses: readonly string[]): Der[] {
    const purposes = uses.filter((usage) => usage in EXTENDED_KEY_USAGES);
    if (!purposes.length) return [];
    return [extension("2.5.29.37", sequence(...purposes.map((usage) => oid(EXTENDED_KEY_USAGES[usage]))))];
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

/** The value of a subject alternative name extension; `undefined` when there is no name. */
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
    const wanted = oid(type);
    const found = extensions && children(extensions).find((candidate) => children(candidate)[0].equals(wanted));
    return found && content(children(found).at(-1)!);
}
