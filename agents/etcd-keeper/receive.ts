import { createWriteStream } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { EtcdClient } from "../common/etcd-client";
import { EtcdError } from "../common/etcd-error";

/** A store of several GiB over a slow disk. */
const limitMilliseconds = 30 * 60_000;

/** Writes the store of a member to a new file, in pieces, and to the disk itself. */
export async function receiveSnapshot(client: EtcdClient, endpoint: string, path: string): Promise<void> {
    const signal = AbortSignal.timeout(limitMilliseconds);
    const answer = await client.open(endpoint, "maintenance/snapshot", {}, signal);
    await pipeline(answer, blobs, createWriteStream(path, { flags: "wx", mode: 0o600, flush: true }), { signal });
}

interface Line {
    readonly result?: { readonly blob?: string };
    readonly error?: { readonly message?: string };
}

/** The JSON gateway sends a line of JSON for each piece. */
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
