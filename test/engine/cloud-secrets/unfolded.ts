import { gunzipSync } from "node:zlib";

/** Nesting depth of each encoding: a key in base64 in JSON in gzip in base64 in user-data, and so on. */
const maxDepth = 8;

/**
 * The lines of texts and everything encoded in them, recursively: base64, `%2B` and the like, JSON's escapes, gzip.
 * Bytes are characters (`latin1`). A line that appears again, in any text, is read once; a quote ends a line too,
 * because the backend writes a state as one line of JSON, and its history holds ten that differ little.
 */
export function unfolded(texts: readonly string[]): string {
    const all = new Set<string>();
    let found = [...new Set(texts.flatMap((text) => text.split(/[\n"]/)))];
    for (let depth = 0; depth < maxDepth && found.length > 0; depth++) {
        for (const each of found) all.add(each);
        found = [...new Set(found.filter(isText).flatMap(encodedIn))].filter((each) => !all.has(each));
    }
    return [...all].join("\n");
}

function encodedIn(text: string): string[] {
    const base64 = text.match(/[A-Za-z0-9+/_-]{16,}={0,2}/g) ?? [];
    return [...unescaped(text), ...base64.map(decoded)];
}

/** Text with control characters is not decoded further: encodings have none, and noise does. */
function isText(text: string): boolean {
    return [...text.slice(0, 256)].every((sign) => sign >= " " || "\n\r\t".includes(sign));
}

function unescaped(text: string): string[] {
    return [
        text.replaceAll(/%([0-9a-f]{2})/gi, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16))),
        text.replaceAll(/\\(["\\/nrt])/g, (_, sign: string) => ({ n: "\n", r: "\r", t: "\t" })[sign] ?? sign),
    ];
}

function decoded(base64: string): string {
    const bytes = Buffer.from(base64, "base64");
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    try {
        return (isGzip ? gunzipSync(bytes) : bytes).toString("latin1");
    } catch {
        return bytes.toString("latin1");
    }
}
