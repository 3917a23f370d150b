import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";

/** Block size of a tar archive: headers and contents are padded to it. */
const blockBytes = 512;

/**
 * Extracts the programs of a gzipped tar archive into a directory, and returns their names: the executable files at its
 * top level, or directly in a folder of it.
 *
 * Without `tar`, which the image may lack; the archive's owners are not applied.
 *
 * @param folder - with a trailing slash: `bin/`
 */
export async function unpackPrograms(archive: string, directory: string, folder = ""): Promise<string[]> {
    // Errors of the file surface in the stream, and ending the stream closes the file.
    const stream = pipeline(createReadStream(archive), createGunzip(), () => undefined);
    try {
        return await unpack(new Reader(stream[Symbol.asyncIterator]()), directory, folder);
    } finally {
        stream.destroy();
    }
}

async function unpack(reader: Reader, directory: string, folder: string): Promise<string[]> {
    const names: string[] = [];
    for (;;) {
        const header = Buffer.concat(await reader.take(blockBytes));
        if (header.every((byte) => byte === 0)) {
            return names;
        }
        const { name, bytes, isProgram } = parseHeader(header, folder);
        const contents = reader.pieces(bytes);
        if (isProgram) {
            await write(join(directory, name), contents);
            names.push(name);
        } else {
            for await (const _ of contents);
        }
        await reader.take(-bytes & (blockBytes - 1));
    }
}

/** POSIX format: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html, "ustar Interchange Format". */
function parseHeader(header: Buffer, folder: string) {
    const text = (from: number, length: number) =>
        header
            .subarray(from, from + length)
            .toString("latin1")
            .replace(/\0.*$/s, "");
    const octal = (from: number, length: number) => Number.parseInt(text(from, length).trim() || "0", 8);
    const path = text(0, 100).replace(/^\.\//, "");
    const name = path.startsWith(folder) ? path.slice(folder.length) : "";
    const isFile = ["", "0"].includes(text(156, 1)) && text(345, 155) === "";
    const isProgram = isFile && (octal(100, 8) & 0o111) !== 0 && /^\w[\w.-]*$/.test(name);
    return { name, bytes: octal(124, 12), isProgram };
}

async function write(path: string, pieces: AsyncIterable<Buffer>): Promise<void> {
    const file = await open(path, "wx", 0o755);
    try {
        for await (const piece of pieces) await file.writeFile(piece);
        await file.sync();
    } finally {
        await file.close();
    }
}

class Reader {
    #rest: Buffer = Buffer.alloc(0);

    constructor(private readonly source: AsyncIterator<Buffer>) {}

    async take(bytes: number): Promise<Buffer[]> {
        const pieces: Buffer[] = [];
        for await (const piece of this.pieces(bytes)) pieces.push(piece);
        return pieces;
    }

    /** That many bytes, in chunks as they arrive. */
    async *pieces(bytes: number): AsyncGenerator<Buffer> {
        for (let missing = bytes; missing > 0; ) {
            if (this.#rest.length === 0) {
                const { value, done } = await this.source.next();
                if (done) throw new Error("the archive is truncated");
                this.#rest = value;
            }
            const piece = this.#rest.subarray(0, missing);
            this.#rest = this.#rest.subarray(piece.length);
            missing -= piece.length;
            yield piece;
        }
    }
}
