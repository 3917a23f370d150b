import { open } from "node:fs/promises";
import type { OutgoingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { get } from "../clients/http";
import { describeError } from "../clients/kubernetes/api-error";
import { findChecksum, sha256File } from "./checksum";
import type { OfficialRelease } from "./part";
import { officialSites, type Sites } from "./sites";
import { retry } from "./way";

const WHOLE_FILE_MS = 600_000;

/**
 * Fetches one official file and checks it against the pinned SHA-256 or, if none is pinned, the published one. Failed
 * transfers are repeated after pauses. Rejects if the file is unavailable or does not match.
 *
 * @param options - the site and, between attempts, the pauses in milliseconds
 */
export async function download(
    release: OfficialRelease,
    binary: string,
    target: string,
    { sites = officialSites, pauses }: { readonly sites?: Sites; readonly pauses?: readonly number[] } = {},
): Promise<void> {
    const official = expand(release.url, { binary });
    const url = sites.url(official);
    const published = sites.url(expand(release.checksum, { binary }));
    const expected =
        sites.sha256(official, release.sha256?.[platform().arch]) ??
        (await retry(() => publishedChecksum(published, url), pauses));
    await retry(() => save(url, target), pauses);
    const actual = await sha256File(target);
    if (actual !== expected) {
        throw new Error(`${url} must have SHA-256 ${expected} (got ${actual})`);
    }
}

/** Saves a URL's file, whatever its checksum. */
export async function save(url: string, target: string, headers?: OutgoingHttpHeaders): Promise<void> {
    const source = await read(url, headers);
    // Opened before: a stream opens its file later, even after the download failed and the folder was removed.
    const file = await open(target, "w");
    try {
        await pipeline(source, file.createWriteStream());
    } catch (error) {
        throw failed(url, error);
    } finally {
        await file.close();
    }
}

async function publishedChecksum(source: string, url: string): Promise<string> {
    const digest = findChecksum(await text(await read(source)), url.split("/").pop()!);
    if (!digest) {
        throw new Error(`${source} has no SHA-256 for ${url}`);
    }
    return digest;
}

async function read(url: string, headers?: OutgoingHttpHeaders): Promise<Readable> {
    try {
        return await get(url, AbortSignal.timeout(WHOLE_FILE_MS), headers);
    } catch (error) {
        throw failed(url, error);
    }
}

function failed(url: string, error: unknown): Error {
    return new Error(`${url}: ${describeError(error)}`);
}

const ARCHITECTURES: Readonly<Record<string, { arch: string; x64: string; triplet: string }>> = {
    x64: { arch: "amd64", x64: "x64", triplet: "x86_64-linux-gnu" },
    arm64: { arch: "arm64", x64: "arm64", triplet: "aarch64-linux-gnu" },
};

/** This machine's processor as Go and Debian spell it, as Node spells it, and as the folder of its libraries. */
export function platform(): { arch: string; x64: string; triplet: string } {
    const found = ARCHITECTURES[process.arch];
    if (!found) {
        throw new Error(`processor must be ${Object.keys(ARCHITECTURES).join(" or ")} (got ${process.arch})`);
    }
    return found;
}

/** Replaces `{arch}`, `{x64}` and the like in a template of the lock. */
export function expand(template: string, more: Readonly<Record<string, string>> = {}): string {
    const values: Readonly<Record<string, string>> = { ...platform(), ...more };
    return template.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}
