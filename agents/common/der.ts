/** A value of DER: what it is, and what is in it. */
export interface Element {
    readonly tag: number;
    readonly content: Buffer;
}

const sequence = 0x30;

/** The parts of a certificate request (PKCS #10): version, name, key, attributes. Throws if the PEM text is none. */
export function requestInfo(pem: string): Element[] {
    const [, base64] =
        /^-----BEGIN CERTIFICATE REQUEST-----\n([A-Za-z0-9+/=\n]+)-----END CERTIFICATE REQUEST-----\s*$/.exec(pem) ??
        [];
    if (base64 === undefined) throw new Error("it is not one certificate request in PEM");
    const [whole] = elements(Buffer.from(base64, "base64"));
    const [info] = elements(expect(whole, sequence));
    return elements(expect(info, sequence));
}

/** The content of an element that has to be of that kind. */
export function expect(element: Element | undefined, tag: number): Buffer {
    if (element?.tag !== tag) throw new Error(`it has ${element?.tag ?? "nothing"} in the place of ${tag}`);
    return element.content;
}

/** The elements of DER that lie one after another. */
export function elements(der: Buffer): Element[] {
    const found: Element[] = [];
    for (let rest = der; rest.length > 0; ) {
        const count = (rest[1] ?? 0) & 0x80 ? rest[1]! & 0x7f : 0;
        if (count > 4 || rest.length < 2 + count) throw new Error("its DER ends too soon");
        const size = count ? rest.readUIntBE(2, count) : rest[1]!;
        const start = 2 + count;
        if (start + size > rest.length) throw new Error("its DER ends too soon");
        found.push({ tag: rest[0]!, content: rest.subarray(start, start + size) });
        rest = rest.subarray(start + size);
    }
    return found;
}
