/** One file of an archive. */
export interface TarEntry {
    /** Path relative to the folder the archive is unpacked in. */
    readonly path: string;
    readonly contents: Buffer | string;
    /** @default 0644 */
    readonly mode?: number;
}

const BLOCK = 512;

/**
 * A tar archive in memory, owned by root, so that files (secrets too) reach a container
 * by `docker cp -` without ever lying on this machine's disk.
 */
export function tar(entries: readonly TarEntry[]): Buffer {
    const blocks = entries.flatMap(({ path, contents, mode = 0o644 }) => {
        const body = Buffer.from(contents);
        return [header(path, body.length, mode), body, Buffer.alloc(-body.length & (BLOCK - 1))];
    });
    return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

function header(path: string, size: number, mode: number): Buffer {
    if (Buffer.byteLength(path) > 100) {
        throw new Error(`path in an archive must be at most 100 bytes long, got ${path}`);
    }
    const block = Buffer.alloc(BLOCK);
    block.write(path, 0);
    block.write(octal(mode, 7), 100);
    block.write(octal(0, 7), 108);
    block.write(octal(0, 7), 116);
    block.write(octal(size, 11), 124);
    block.write(octal(0, 11), 136);
    block.write(" ".repeat(8), 148);
    block.write("0", 156);
    block.write("ustar\u000000", 257);
    block.write(
        `${octal(
            block.reduce((sum, byte) => sum + byte, 0),
            6,
        )}\0 `,
        148,
    );
    return block;
}

function octal(value: number, width: number): string {
    return value.toString(8).padStart(width, "0");
}
