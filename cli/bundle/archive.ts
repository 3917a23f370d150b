import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { BLOCK, tarHeader } from "../../machines/tar";
import { SUMS } from "./members";

/** Where a file of an archive is. */
export interface Place {
    readonly path: string;
    /** Of its contents. Unit: bytes. */
    readonly start: number;
    readonly size: number;
}

/** A file's header, at a position of the archive. @returns undefined at the archive's end */
export async function placeAt(archive: FileHandle, position: number): Promise<Place | undefined> {
    const header = Buffer.alloc(BLOCK);
    const { bytesRead } = await archive.read(header, 0, BLOCK, position);
    if (bytesRead < BLOCK) throw new Error("it is truncated");
    if (header.every((byte) => byte === 0)) return undefined;
    const field = (from: number, to: number) => header.toString("latin1", from, to).replace(/\0.*$/s, "");
    const [prefix, name, octal] = [field(345, 500), field(0, 100), field(124, 136)];
    const [path, size] = [prefix ? `${prefix}/${name}` : name, Number.parseInt(octal, 8)];
    // The whole header, as it is in no checksum.
    if (!/^[0-7]+$/.test(octal) || !tarHeader({ path, size }).equals(header)) {
        throw new Error(`it has no file of a bundle at byte ${position}`);
    }
    return { path, start: position + BLOCK, size };
}

/** Position of what follows a file. */
export function endOf({ start, size }: Pick<Place, "start" | "size">): number {
    return start + size + (-size & (BLOCK - 1));
}

/** A part of an archive, by its handle: a file that has replaced the archive's since is another one. */
export async function* bytesAt(archive: FileHandle, start: number, size: number): AsyncGenerator<Buffer> {
    for (let at = 0; at < size; ) {
        const buffer = Buffer.allocUnsafe(Math.min(size - at, 1 << 18));
        const { bytesRead } = await archive.read(buffer, 0, buffer.length, start + at);
        if (bytesRead === 0) throw new Error("it is truncated");
        yield buffer.subarray(0, bytesRead);
        at += bytesRead;
    }
}

/** SHA-256 of a file's contents in hexadecimal. */
export async function sha256At(archive: FileHandle, { start, size }: Place): Promise<string> {
    const hash = createHash("sha256");
    for await (const bytes of bytesAt(archive, start, size)) hash.update(bytes);
    return hash.digest("hex");
}

/** A bundle whose files were all compared with its checksums. */
export interface Bundle {
    /** Its name on disk. */
    readonly file: string;
    /** `sha256:` and the SHA-256 of its checksums: identifies all of its contents. */
    readonly digest: string;
    readonly places: ReadonlyMap<string, Place>;
    /** Unit: bytes. */
    readonly size: number;
    text(path: string): Promise<string>;
    readonly handle: FileHandle;
}

/**
 * Opens a bundle and compares each of its files with its checksums.
 *
 * @param digest - that it must have. @default any
 * @throws if it is not one, is truncated, or differs from its checksums: names the file
 */
export async function openBundle(file: string, digest?: string): Promise<Bundle> {
    const handle = await open(file, "r").catch((error) => {
        throw new Error(`cannot read ${file}: ${(error as Error).message}`);
    });
    try {
        return await checked(file, handle, digest);
    } catch (error) {
        await handle.close();
        throw new Error(`${file} must be a complete bundle: ${(error as Error).message}`);
    }
}

async function checked(file: string, handle: FileHandle, digest: string | undefined): Promise<Bundle> {
    const places = new Map<string, Place>();
    const text = async (path: string) => {
        const place = places.get(path);
        if (place === undefined) throw new Error(`it lacks ${path}`);
        const { start, size } = place;
        const buffer = Buffer.alloc(size);
        await handle.read(buffer, 0, size, start);
        return buffer.toString("utf8");
    };
    const first = await placeAt(handle, 0);
    if (first?.path !== SUMS) throw new Error(`its first file must be ${SUMS} (got ${first?.path ?? "none"})`);
    places.set(SUMS, first);
    await requireZeros(handle, first);
    const actual = `sha256:${await sha256At(handle, first)}`;
    if (digest !== undefined && actual !== digest) throw new Error(`its digest must be ${digest} (got ${actual})`);
    const sums = sumsOf(await text(SUMS));
    let position = endOf(first);
    for (let place = await placeAt(handle, position); place; place = await placeAt(handle, position)) {
        const { path } = place;
        const expected = sums.get(path);
        if (expected === undefined) throw new Error(`${path} is not in ${SUMS}`);
        if (places.has(path)) throw new Error(`${path} is in it twice`);
        const found = await sha256At(handle, place);
        if (found !== expected) throw new Error(`${path} must have SHA-256 ${expected} (got ${found})`);
        places.set(path, place);
        position = endOf(place);
        await requireZeros(handle, place);
    }
    const missing = [...sums.keys()].filter((path) => !places.has(path));
    if (missing.length > 0)
        throw new Error(`it lacks ${missing[0]}${missing.length > 1 ? ` and ${missing.length - 1} more` : ""}`);
    const { size } = await handle.stat();
    if (size !== position + 2 * BLOCK || (await placeAt(handle, position + BLOCK)) !== undefined) {
        throw new Error(`it must end at byte ${position + 2 * BLOCK} (got ${size})`);
    }
    return { file, digest: actual, places, size, text, handle };
}

/** What follows a file's contents in its last block. */
async function requireZeros(archive: FileHandle, place: Place): Promise<void> {
    const rest = endOf(place) - place.start - place.size;
    const { bytesRead, buffer } = await archive.read(Buffer.alloc(rest), 0, rest, place.start + place.size);
    if (bytesRead < rest) throw new Error("it is truncated");
    if (buffer.some((byte) => byte !== 0)) throw new Error(`${place.path} is followed by other data`);
}

function sumsOf(text: string): Map<string, string> {
    const lines = text.split("\n").slice(0, -1);
    return new Map(
        lines.map((line) => {
            const [, sha256, path] = /^([0-9a-f]{64}) {2}(\S+)$/.exec(line) ?? [];
            if (sha256 === undefined || path === undefined)
                throw new Error(`${SUMS} has an invalid line (got ${line})`);
            return [path, sha256];
        }),
    );
}
