import { gunzipSync, gzipSync } from "node:zlib";

/** Characters to escape: all except those that Ignition accepts in URL data, and `?`, which would start a query. */
const special = /[^A-Za-z0-9\-_.!~*'()/:;=@&+$,]/g;

const escapeOf = Array.from({ length: 256 }, (_, byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`);

const token = "[!#$%&'*+\\-.^_`{|}~0-9A-Za-z]";
const types = "text|image|audio|video|application|message|multipart";
const mediaType = `(?:(?:(?:${types})${token}*|[xX]-${token}*)/${token}*)?`;
const parameters = `(?:;${token}+=(?:${token}+|"(?:[^"\\\\]|\\\\.)*"))*`;
const form = new RegExp(`^data:${mediaType}${parameters}(;base64)?,(.*)$`, "s");
const escaped = /^(?:[A-Za-z0-9\-_.!~*'()/:;=@&+$,?]|%[0-9A-Fa-f]{2})*$/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Remembers results by text: most files are the same on all machines of a stack. */
function remembering<T>(make: (contents: string | Uint8Array) => T): (contents: string | Uint8Array) => T {
    const cache = new Map<string, T>();
    return (contents) => {
        if (typeof contents !== "string") return make(contents);
        const known = cache.get(contents);
        if (known !== undefined) return known;
        const result = make(contents);
        cache.set(contents, result);
        return result;
    };
}

/** A `data:` URL (RFC 2397) for a text or bytes: escaped text or base64, whichever is shorter. */
export const dataUrl = remembering((contents): string => {
    const bytes = Buffer.from(contents as Uint8Array);
    const characters = bytes.toString("latin1");
    const escapes = characters.match(special)?.length ?? 0;
    const textLength = "data:,".length + bytes.length + 2 * escapes;
    const base64Length = "data:;base64,".length + 4 * Math.ceil(bytes.length / 3);
    return textLength <= base64Length
        ? `data:,${characters.replace(special, (character) => escapeOf[character.charCodeAt(0)]!)}`
        : `data:;base64,${bytes.toString("base64")}`;
});

/** Deterministic: the header contains no time or host name. */
export const gzip = remembering((contents): Buffer => {
    const bytes = gzipSync(contents, { level: 9 });
    // Byte 9 names the operating system of the writer.
    bytes[9] = 255;
    return bytes;
});

/** The bytes of a `data:` URL; undefined for any other URL and for data that Ignition cannot read. */
export function decodeDataUrl(url: string): Buffer | undefined {
    const [, isBase64, data] = form.exec(url) ?? [];
    if (data === undefined) {
        return undefined;
    }
    if (isBase64) {
        const oneLine = data.replaceAll("\n", "");
        return base64.test(oneLine) ? Buffer.from(oneLine, "base64") : undefined;
    }
    const unescaped = data.replace(/%(..)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
    return escaped.test(data) ? Buffer.from(unescaped, "latin1") : undefined;
}

/** The bytes that a resource writes to disk, if they are inline. Throws if they are not compressed as declared. */
export function inlineContents(source: string, compression?: string | null): Buffer | undefined {
    const bytes = decodeDataUrl(source);
    return bytes && compression === "gzip" ? gunzipSync(bytes) : bytes;
}
