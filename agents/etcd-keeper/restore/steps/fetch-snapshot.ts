import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { copyFile, open } from "node:fs/promises";
import { syncDirectory } from "../../../common/durable";
import { SnapshotStore } from "../../s3/snapshot-store";
import { verifySnapshot } from "../../verify";
import type { RestorePlan } from "../plan";
import type { Run, Step } from "../run";

/** The snapshot is on this machine, whole, before anything else is touched. */
export const fetchSnapshot: Step = {
    name: "fetch-snapshot",
    run: async ({ plan, places }: Run) => {
        if (existsSync(places.swapping)) {
            return "the data were restored already";
        }
        mkdirSync(plan.directories.state, { recursive: true, mode: 0o700 });
        if (!existsSync(places.snapshot)) {
            const half = `${places.snapshot}.half`;
            rmSync(half, { force: true });
            await fetch(plan.source, half);
            await sync(half);
            renameSync(half, places.snapshot);
            syncDirectory(plan.directories.state);
        }
        const { revision, keys, size } = await verifySnapshot(places.snapshot, plan.etcdutl);
        return `${size} bytes: revision ${revision}, ${keys} keys`;
    },
};

/** A copy, also of a file of this machine: pruning may remove that one meanwhile. */
async function fetch(source: RestorePlan["source"], target: string): Promise<void> {
    if ("file" in source) {
        return copyFile(source.file, target);
    }
    const store = new SnapshotStore(source.s3, source.cluster);
    await store.fetch(source.name ?? (await newest(store)), target);
}

async function newest(store: SnapshotStore): Promise<string> {
    const last = (await store.list()).filter(({ isWhole }) => isWhole).at(-1);
    if (last === undefined) {
        const { endpoint, bucket, prefix } = store.plan;
        throw new Error(`${endpoint}/${bucket}/${prefix} must have a whole snapshot of ${store.cluster}, got none`);
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
