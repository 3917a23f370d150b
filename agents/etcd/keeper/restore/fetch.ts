import { renameSync, rmSync } from "node:fs";
import { copyFile, open } from "node:fs/promises";
import { dirname } from "node:path";
import type * as v from "valibot";
import { syncDirectory } from "../../../harness/durable";
import { absolutePath, object } from "../../../harness/plan";
import { verifySnapshot } from "../snapshot";
import { SnapshotStore } from "../snapshot-store";
import { type RestoreSource, s3Source } from "./plan";

/** Plan of the verb `fetch`: copies a snapshot from a store, so that a restore from it cannot fail for lack of it. */
export const fetchPlanSchema = object({
    source: s3Source,
    /** Absolute path of the decrypted file. */
    target: absolutePath,
    /** Path of etcd's own program for reading snapshots. */
    etcdutl: absolutePath,
});

export type FetchPlan = v.InferOutput<typeof fetchPlanSchema>;

/** Fetches, decrypts and verifies a snapshot. Returns what it is. */
export async function fetchSnapshot({ source, target, etcdutl }: FetchPlan): Promise<string> {
    rmSync(target, { force: true });
    const name = await copySource(source, target);
    const { revision, keys, size } = await verifySnapshot(target, etcdutl);
    return `${name}: ${size} bytes, revision ${revision}, ${keys} keys`;
}

/** Always a copy, even of a local file, which could be pruned in the meantime. Returns the snapshot's name. */
export async function copySource(source: RestoreSource, target: string): Promise<string> {
    const half = `${target}.half`;
    rmSync(half, { force: true });
    const name = await copy(source, half);
    await sync(half);
    renameSync(half, target);
    syncDirectory(dirname(target));
    return name;
}

async function copy(source: RestoreSource, target: string): Promise<string> {
    if ("file" in source) {
        await copyFile(source.file, target);
        return source.file;
    }
    const store = new SnapshotStore(source.s3, source.cluster);
    const name = source.name ?? (await newest(store));
    await store.fetch(name, target);
    return name;
}

async function newest(store: SnapshotStore): Promise<string> {
    const last = (await store.list()).filter(({ isWhole }) => isWhole).at(-1);
    if (last === undefined) {
        const { endpoint, bucket, prefix } = store.plan;
        throw new Error(`${endpoint}/${bucket}/${prefix} must have a complete snapshot of ${store.cluster} (got none)`);
    }
    return last.name;
}

async function sync(path: string): Promise<void> {
    const file = await open(path, "r+");
    try {
        await file.sync();
    } finally {
        await file.close();
    }
}
