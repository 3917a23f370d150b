/** One file of an archive. */
export interface TarEntry {
    /** Path relative to the folder the archive is unpacked in; directories end with a slash. */
    readonly path: string;
    readonly contents?: Buffer | string;

    /** Makes it a symbolic link to that path. */
    readonly link?: string;

    /** @default 0644 */
    readonly mode?: number;
}

export const BLOCK = 512;

/**
 * A tar archive in memory, owned by root, so that files (including secrets) reach a container by `docker cp -` without
 * being written to the host's disk.
 */
export function tar(entries: readonly TarEntry[]): Buffer {
    const blocks = entries.flatMap(({ path, contents = "", link = "", mode = 0o644 }) => {
        const body = Buffer.from(contents);
        return [tarHeader({ path, link, size: body.length, mode }), body, Buffer.alloc(-body.length & (BLOCK - 1))];
    });
    return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

/** What precedes a file's contents, which end with zeros up to a whole number of blocks. */
export function tarHeader({
    path,
    size,
    link = "",
    mode = 0o644,
}: Omit<TarEntry, "contents"> & { readonly size: number }): Buffer {
    const [folder, name] = split(path);
    for (const each of [name, link]) {
        if (Buffer.byteLength(each) > 100) {
            throw new Error(`path in an archive must be at most 100 bytes long (got ${each})`);
        }
    }
    const block = Buffer.alloc(BLOCK);
    block.write(name, 0);
    block.write(folder, 345);
    block.write(octal(mode, 7), 100);
    block.write(octal(0, 7), 108);
    block.write(octal(0, 7), 116);
    block.write(octal(size, 11), 124);
    block.write(octal(0, 11), 136);
    block.write(" ".repeat(8), 148);
    block.write(typeOf(path, link), 156);
    block.write(link, 157);
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

/** A long path has its leading folders in a separate field, as far as they fit. */
function split(path: string): [folder: string, name: string] {
    if (Buffer.byteLength(path) <= 100) {
        return ["", path];
    }
    const end = path.lastIndexOf("/", 155);
    return end < 1 ? ["", path] : [path.slice(0, end), path.slice(end + 1)];
}

function typeOf(path: string, link: string): string {
    return link ? "2" : path.endsWith("/") ? "5" : "0";
}

function octal(value: number, width: number): string {
    return value.toString(8).padStart(width, "0");
}
