import { createHash } from "node:crypto";
import { existsSync, realpathSync, statSync } from "node:fs";
import { type FileHandle, open, rename } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { get } from "../../clients/http";
import { describeError } from "../../clients/kubernetes/api-error";
import { UsageError } from "../../command-line/parse";
import { BLOCK, tarHeader } from "../../machines/tar";
import { endOf, openBundle, placeAt, sha256At } from "./archive";
import { claim } from "./claim";
import type { Member } from "./members";

/** A download without any data for that long has failed. */
const SILENCE_MS = 60_000;

interface WriteOptions {
    readonly say: (line: string) => void;
    /** Between attempts of a download, in milliseconds. */
    readonly pauses?: readonly number[];
}

/**
 * Writes a bundle under a temporary name, checks it, and gives it its name: no incomplete file ever has that name. What
 * an earlier run of the same bundle has written is kept.
 *
 * @returns the bundle's digest and size
 */
export async function writeBundle(
    output: string,
    members: readonly Member[],
    options: WriteOptions,
): Promise<{ readonly digest: string; readonly size: number }> {
    // Renaming a file to /dev/null or a pipe would replace that.
    if (existsSync(output) && !statSync(output).isFile())
        throw new UsageError(`--output must be a file (got ${output})`);
    // A symbolic link stays one: it may lead to another disk.
    const file = existsSync(output) ? realpathSync(output) : output;
    const partial = `${file}.partial`;
    const end = claim(partial);
    try {
        await writeArchive(partial, members, options);
        const { handle, digest, size } = await openBundle(partial);
        await handle.close();
        await rename(partial, file);
        return { digest, size };
    } finally {
        end();
    }
}

async function writeArchive(path: string, members: readonly Member[], options: WriteOptions): Promise<void> {
    const archive = await openOrCreate(path);
    try {
        await writeMembers(archive, members, options);
        await archive.sync();
    } catch (error) {
        throw explained(error, path);
    } finally {
        await archive.close();
    }
}

async function openOrCreate(path: string): Promise<FileHandle> {
    try {
        return await open(path, "r+").catch((error) => {
            if (error.code !== "ENOENT") throw error;
            return open(path, "wx+");
        });
    } catch (error) {
        throw new Error(`cannot write ${path}: ${(error as Error).message}`);
    }
}

function explained(error: unknown, partial: string): unknown {
    if (!isDiskFull(error)) return error;
    return new Error(
        `the disk of ${partial} is full (${error.code}): free space and run the same command again, which resumes; or remove the file`,
    );
}

function isDiskFull(error: unknown): error is NodeJS.ErrnoException {
    return ["ENOSPC", "EDQUOT", "EFBIG"].includes((error as NodeJS.ErrnoException).code ?? "");
}

async function writeMembers(archive: FileHandle, members: readonly Member[], options: WriteOptions): Promise<void> {
    const { say } = options;
    const groups = [...new Set(members.flatMap(({ of }) => of ?? []))];
    let position = 0;
    let isNew = false;
    let group: string | undefined;
    for (const member of members) {
        const kept = isNew ? undefined : await keptEnd(archive, member, position);
        if (!isNew && kept === undefined) {
            isNew = true;
            await archive.truncate(position);
            if (position > 0) say(`resuming after ${megabytes(position)} of an earlier run`);
        }
        if (isNew && member.of !== undefined && member.of !== group) {
            group = member.of;
            say(`[${groups.indexOf(group) + 1}/${groups.length}] ${group}`);
        }
        position = kept ?? (await writeMember(archive, member, position, options));
    }
    await archive.truncate(position);
    await writeAll(archive, Buffer.alloc(2 * BLOCK), position);
}

export function megabytes(bytes: number): string {
    return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Where a file ends that is already in the archive, whole, at this position. */
async function keptEnd(archive: FileHandle, { path, sha256 }: Member, position: number): Promise<number | undefined> {
    try {
        const place = await placeAt(archive, position);
        const isSame = place?.path === path && (await sha256At(archive, place)) === sha256;
        return isSame ? endOf(place) : undefined;
    } catch {
        // It ends before, or is something else.
        return undefined;
    }
}

/** @returns the position of what follows */
async function writeMember(
    archive: FileHandle,
    member: Member,
    position: number,
    options: WriteOptions,
): Promise<number> {
    const { path, contents } = member;
    const start = position + BLOCK;
    const text = Buffer.from(typeof contents === "string" ? contents : "");
    if (typeof contents === "string") await writeAll(archive, text, start);
    const size = typeof contents === "string" ? text.length : await download(archive, member, contents, start, options);
    const end = endOf({ start, size });
    await writeAll(archive, Buffer.alloc(end - start - size), start + size);
    // Last, so that an interrupted download is no file of the archive.
    await writeAll(archive, tarHeader({ path, size }), position);
    return end;
}

/** Writes what a URL has, with several attempts. @returns its size */
async function download(
    archive: FileHandle,
    { path, sha256 }: Member,
    locate: Exclude<Member["contents"], string>,
    start: number,
    { say, pauses = [1_000, 5_000] }: WriteOptions,
): Promise<number> {
    for (let attempt = 0; ; attempt++) {
        let url = path;
        try {
            const at = await locate();
            url = at.url;
            const found = await save(archive, at, start);
            if (found.sha256 !== sha256) throw new Error(`must have SHA-256 ${sha256} (got ${found.sha256})`);
            return found.size;
        } catch (error) {
            if (isDiskFull(error)) throw error;
            const milliseconds = pauses[attempt];
            if (milliseconds === undefined) throw new Error(`${url} ${describeError(error)}`);
            say(`    ${url} ${describeError(error)}; trying again`);
            await pause(milliseconds);
        }
    }
}

async function save(
    archive: FileHandle,
    { url, headers }: { readonly url: string; readonly headers?: Record<string, string> },
    start: number,
): Promise<{ readonly sha256: string; readonly size: number }> {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(new Error(`sent nothing for ${SILENCE_MS / 1000} s`)), SILENCE_MS);
    try {
        const hash = createHash("sha256");
        let size = 0;
        for await (const chunk of await get(url, silence.signal, headers)) {
            timer.refresh();
            hash.update(chunk);
            await writeAll(archive, chunk, start + size);
            size += chunk.length;
        }
        return { sha256: hash.digest("hex"), size };
    } finally {
        clearTimeout(timer);
    }
}

async function writeAll(archive: FileHandle, bytes: Buffer, position: number): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
        const { bytesWritten } = await archive.write(bytes, at, bytes.length - at, position + at);
        at += bytesWritten;
    }
}
