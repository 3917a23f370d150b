import { renameSync, rmSync, statfsSync } from "node:fs";
import type { EtcdClient } from "../common/etcd-client";
import type { SnapshotDirectory } from "./directory";
import { hexId } from "./ids";
import { type SnapshotManifest, snapshotName, type Trigger } from "./manifest";
import type { KeeperPlan } from "./plan";
import { receiveSnapshot } from "./receive";
import { verifySnapshot } from "./verify";

/** Stays free, for etcd itself above all. Unit: bytes. */
const reserve = 1 << 30;

export interface SnapshotOptions {
    readonly plan: KeeperPlan;
    readonly client: EtcdClient;
    readonly directory: SnapshotDirectory;
    readonly node: string;
    readonly trigger: Trigger;
    readonly now: Date;
}

/**
 * Takes a snapshot of the member of this machine into a directory and reads it back.
 *
 * The file has its name only when it is good, and counts only when its manifest is there: a run that is
 * killed leaves something for `cleanUp`.
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
            `${path} must have ${mebibytes(size + reserve)} free for a snapshot and for etcd, got ${mebibytes(free)}`,
        );
    }
}
