import type { Config } from "./config";
import { dataUrl, decodeDataUrl, gzip } from "./data-url";
import type { File } from "./storage";

/** The same config with each inline file compressed that is shorter that way. */
export function compressed(config: Config): Config {
    const { storage } = config;
    return storage?.files ? { ...config, storage: { ...storage, files: storage.files.map(compressedFile) } } : config;
}

function compressedFile(file: File): File {
    const { source, compression } = file.contents ?? {};
    if (!source || compression) {
        return file;
    }
    const bytes = decodeDataUrl(source);
    if (bytes === undefined) {
        return file;
    }
    // As text: what is remembered by text is compressed once for all machines.
    const text = bytes.toString("utf8");
    const shorter = dataUrl(gzip(Buffer.from(text).equals(bytes) ? text : bytes));
    return shorter.length < source.length
        ? { ...file, contents: { ...file.contents, source: shorter, compression: "gzip" } }
        : file;
}
