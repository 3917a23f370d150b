import { gunzipSync, gzipSync } from "node:zlib";

/** A `data:` URL (RFC 2397) of a text or of bytes. Text stays readable: only what a URL forbids is escaped. */
export function dataUrl(contents: string | Uint8Array): string {
    if (typeof contents === "string") {
        return `data:,${encodeURIComponent(contents)}`;
    }
    return `data:;base64,${Buffer.from(contents).toString("base64")}`;
}

/** The same bytes for the same input: no time and no name of the machine is in the header. */
export function gzip(contents: string | Uint8Array): Buffer {
    const bytes = gzipSync(contents, { level: 9 });
    // Byte 9 names the operating system of the writer.
    bytes[9] = 255;
    return bytes;
}

/** The bytes of a `data:` URL; undefined for any other URL. */
export function decodeDataUrl(url: string): Buffer | undefined {
    const [, parameters, data] = /^data:([^,]*),(.*)$/s.exec(url) ?? [];
    if (parameters === undefined || data === undefined) {
        return undefined;
    }
    return parameters.endsWith(";base64") ? Buffer.from(data, "base64") : Buffer.from(decodeURIComponent(data));
}

/** The bytes that a resource puts on disk, where it carries them itself. */
export function inlineContents(source: string, compression?: string | null): Buffer | undefined {
    const bytes = decodeDataUrl(source);
    return bytes && compression === "gzip" ? gunzipSync(bytes) : bytes;
}
