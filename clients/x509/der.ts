// node:crypto reads certificates but cannot write them. A few DER functions can; the alternatives depend on twenty
// packages (@peculiar/x509) or can only sign with RSA (node-forge).

/** One DER element, including its contents. */
export type Der = Buffer;

export const TAG = {
    boolean: 0x01,
    integer: 0x02,
    bitString: 0x03,
    octetString: 0x04,
    null: 0x05,
    oid: 0x06,
    utf8String: 0x0c,
    sequence: 0x30,
    set: 0x31,
    printableString: 0x13,
    utcTime: 0x17,
    generalizedTime: 0x18,
} as const;

export function element(tag: number, ...contents: Uint8Array[]): Der {
    const body = Buffer.concat(contents);
    return Buffer.concat([Buffer.from([tag]), length(body.length), body]);
}

export const sequence = (...elements: Der[]): Der => element(TAG.sequence, ...elements);
export const set = (...elements: Der[]): Der => element(TAG.set, ...elements);
export const octetString = (bytes: Uint8Array): Der => element(TAG.octetString, bytes);
export const boolean = (value: boolean): Der => element(TAG.boolean, Buffer.from([value ? 0xff : 0]));

/** Context-specific element `[number]`; `constructed` if it contains other elements. */
export function tagged(number: number, contents: Uint8Array, { constructed = true } = {}): Der {
    return element(0x80 | (constructed ? 0x20 : 0) | number, contents);
}

/** A non-negative integer, big-endian. */
export function integer(value: Uint8Array | number): Der {
    const bytes = typeof value === "number" ? Buffer.from(evenHex(value.toString(16)), "hex") : Buffer.from(value);
    const start = bytes.findIndex((byte) => byte !== 0);
    const digits = start < 0 ? Buffer.from([0]) : bytes.subarray(start);
    return element(TAG.integer, digits[0]! & 0x80 ? Buffer.from([0]) : Buffer.alloc(0), digits);
}

export function bitString(bytes: Uint8Array, unusedBits = 0): Der {
    return element(TAG.bitString, Buffer.from([unusedBits]), bytes);
}

/** An object identifier from its dotted form. */
export function oid(dotted: string): Der {
    const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
    return element(TAG.oid, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** UTCTime up to 2049, GeneralizedTime from then on (RFC 5280 4.1.2.5). */
export function time(date: Date): Der {
    const digits = date.toISOString().replace(/\.\d+|[-:T]/g, "");
    if (date.getUTCFullYear() >= 2050) return element(TAG.generalizedTime, Buffer.from(digits));
    return element(TAG.utcTime, Buffer.from(digits.slice(2)));
}

/** The children of a constructed element. */
export function children(der: Der): Der[] {
    const found: Der[] = [];
    for (let rest = content(der); rest.length > 0; ) {
        const end = header(rest).end;
        found.push(rest.subarray(0, end));
        rest = rest.subarray(end);
    }
    return found;
}

/** The child of a constructed element at that position. */
export function child(der: Der, index: number): Der {
    const found = children(der)[index];
    if (!found) throw new Error(`DER data must have an element at position ${index}`);
    return found;
}

/** An element's contents, without tag and length. */
export function content(der: Der): Buffer {
    const { start, end } = header(der);
    return der.subarray(start, end);
}

function header(der: Buffer): { start: number; end: number } {
    const [, first] = der;
    if (first === undefined) throw new Error("unexpected end of DER data");
    const count = first & 0x80 ? first & 0x7f : 0;
    const size = count ? der.readUIntBE(2, count) : first;
    const start = 2 + count;
    if (start + size > der.length) throw new Error("unexpected end of DER data");
    return { start, end: start + size };
}

function length(size: number): Buffer {
    if (size < 0x80) return Buffer.from([size]);
    const bytes = Buffer.from(evenHex(size.toString(16)), "hex");
    return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}

function base128(value: number): number[] {
    const high = Math.floor(value / 128);
    return high === 0 ? [value] : [...base128(high).map((byte) => byte | 0x80), value % 128];
}

function evenHex(hex: string): string {
    return hex.length % 2 ? `0${hex}` : hex;
}
