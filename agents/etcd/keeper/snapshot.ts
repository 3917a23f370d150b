import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, renameSync, rmSync, statfsSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { type EtcdClient, EtcdError } from "../../../clients/etcd/client";
import { type SnapshotDirectory, type SnapshotManifest, snapshotName, type Trigger } from "./directory";
import { hexId } from "./observe";
import type { KeeperPlan } from "./plan";

/** Space to leave free, mainly for etcd itself. Unit: bytes. */
const reserve = 1 << 30;

interface SnapshotOptions {
    readonly plan: KeeperPlan;
    readonly client: EtcdClient;
    readonly directory: SnapshotDirectory;
    readonly node: string;
    readonly trigger: Trigger;
    readonly now: Date;
}

/**
 * Takes a snapshot of this machine's member into a directory and reads it back.
 *
 * The file gets its name only when it is good, and counts only once its manifest exists. `cleanUp` removes the
 * leftovers of a killed run.
 */
export async function takeSnapshot(options: SnapshotOptions): Promise<SnapshotManifest> {
    const { plan, client, directory, node, trigger, now } = options;
    const name = snapshotName(plan.clusterName, now);
    const half = directory.half(name);
    const { header, version, dbSize } = await client.status(plan.endpoint);
    requireSpace(directory.path, Number(dbSize));
    try {
        await receiveSnapshot(client, plan.endpoint, half);
        const verified = await verifySnapshot(half, plan.etcdutl);
        renameSync(half, directory.file(name));
        const manifest: SnapshotManifest = {
            formatVersion: 1,
            name,
            cluster: plan.clusterName,
            clusterId: hexId(header.cluster_id),
            member: hexId(header.member_id),
            node,
            time: now.toISOString(),
            trigger,
            revision: verified.revision,
            keys: verified.keys,
            size: verified.size,
            sha256: verified.sha256,
            kubernetesVersion: plan.kubernetesVersion,
            etcdVersion: version,
        };
        directory.complete(manifest);
        return manifest;
    } finally {
        rmSync(half, { force: true });
    }
}

function requireSpace(path: string, size: number): void {
    const { bavail, bsize } = statfsSync(path);
    const free = bavail * bsize;
    if (free < size + reserve) {
        const mebibytes = (bytes: number) => `${Math.ceil(bytes / 2 ** 20)} MiB`;
        throw new Error(
            `${path} must have ${mebibytes(size + reserve)} free for a snapshot and for etcd (got ${mebibytes(free)})`,
        );
    }
}

/** Output of `etcdutl snapshot status`, which reads every key of the snapshot. */
interface SnapshotStatus {
    readonly revision: number;
    readonly keys: number;
}

/** @throws etcdutl's error if the file is not an etcd store */
async function snapshotStatus(etcdutl: string, path: string): Promise<SnapshotStatus> {
    const { revision, totalKey } = JSON.parse(await runEtcdutl(etcdutl, ["snapshot", "status", path, "-w", "json"]));
    return { revision, keys: totalKey };
}

export async function runEtcdutl(etcdutl: string, args: readonly string[]): Promise<string> {
    try {
        return (await promisify(execFile)(etcdutl, args, { maxBuffer: 16 << 20 })).stdout;
    } catch (error) {
        const { stderr, message } = error as Error & { stderr?: string };
        throw new Error(`etcdutl ${args.slice(0, 2).join(" ")}: ${lastLine(stderr) ?? message}`, { cause: error });
    }
}

function lastLine(text = ""): string | undefined {
    return text.trim().split("\n").at(-1) || undefined;
}

/** Enough for a store of several GiB on a slow disk. */
const limitMilliseconds = 30 * 60_000;

/** Streams a member's store to a new file and flushes it to the disk. */
async function receiveSnapshot(client: EtcdClient, endpoint: string, path: string): Promise<void> {
    const signal = AbortSignal.timeout(limitMilliseconds);
    const answer = await client.open(endpoint, "maintenance/snapshot", {}, signal);
    await pipeline(answer, blobs, createWriteStream(path, { flags: "wx", mode: 0o600, flush: true }), { signal });
}

interface Line {
    readonly result?: { readonly blob?: string };
    readonly error?: { readonly message?: string };
}

/** The JSON gateway sends one line of JSON per chunk. */
export async function* blobs(answer: Readable): AsyncGenerator<Buffer> {
    let rest = "";
    for await (const text of answer.setEncoding("utf8")) {
        const lines = (rest + text).split("\n");
        rest = lines.pop()!;
        yield* lines.filter(Boolean).map(blob);
    }
    if (rest.trim() !== "") {
        yield blob(rest);
    }
}

function blob(line: string): Buffer {
    const { result, error }: Line = JSON.parse(line);
    if (result === undefined) {
        throw new EtcdError(`the snapshot ended early: ${error?.message ?? line.slice(0, 200)}`);
    }
    return Buffer.from(result.blob ?? "", "base64");
}

/** etcd appends the store's SHA-256 to the store, whose pages are a multiple of 512 bytes. */
export const hashBytes = 32;
export const pageBytes = 512;

interface Verified extends SnapshotStatus {
    /** Size of the file in bytes. */
    readonly size: number;
    /** Hash of the file, in hexadecimal. */
    readonly sha256: string;
}

/** Reads a snapshot back from the disk. @throws unless it is complete, unchanged, and a store that etcd can read */
export async function verifySnapshot(path: string, etcdutl: string): Promise<Verified> {
    const { size } = await stat(path);
    if (size % pageBytes !== hashBytes) {
        throw new Error(`${path} is incomplete: ${size} bytes are not a store followed by a checksum`);
    }
    const file = createHash("sha256");
    const store = createHash("sha256");
    for await (const chunk of createReadStream(path, { end: size - hashBytes - 1 })) {
        store.update(chunk);
        file.update(chunk);
    }
    const appended = await readEnd(path, size);
    const found = store.digest();
    if (!found.equals(appended)) {
        throw new Error(
            `${path} is damaged: the store's SHA-256 is ${found.toString("hex")}, ` +
                `but the checksum at its end is ${appended.toString("hex")}`,
        );
    }
    return { size, sha256: file.update(appended).digest("hex"), ...(await snapshotStatus(etcdutl, path)) };
}

async function readEnd(path: string, size: number): Promise<Buffer> {
    const file = await open(path);
    try {
        const end = Buffer.alloc(hashBytes);
        await file.read(end, 0, hashBytes, size - hashBytes);
        return end;
    } finally {
        await file.close();
    }
}
