import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import type { RestoreSource } from "../../agents/etcd/keeper/restore/plan";
import { hashBytes, pageBytes } from "../../agents/etcd/keeper/snapshot";
import { bundleAgent } from "../../bundling/agents";
import { etcdRestorePath, restoredSnapshot, snapshotFetch } from "../../cluster/machines/bootstrap/recovery-assets";
import type { Cluster } from "../../cluster/model";
import { readInput } from "../../command-line/read-input";
import type { RecoveryRecord } from "../../components/bootstrap/bootstrap";
import type { Controller } from "../reach/controller";
import { readSnapshot, snapshotKeys } from "../snapshot/decrypt";
import { bringFile } from "./begin";
import { snapshotSource } from "./decide";

export interface SnapshotWish {
    /** A local file, or the name of a snapshot. @default the newest one */
    readonly snapshot?: string;
    /** Whether it is in the cluster's store. @default it is a file, or on the controller */
    readonly isStored?: boolean;
    /** File of keys that the stack's state lacks. @default none */
    readonly snapshotKeys?: string;
}

/** What a snapshot is recognized by in a later run of the command; undefined if none is named. */
export function snapshotIdentity({ snapshot, isStored }: SnapshotWish): string | undefined {
    if (snapshot === undefined) return undefined;
    if (isStored) return `${snapshot} of the store`;
    return existsSync(snapshot)
        ? `file ${createHash("sha256").update(readInput("--snapshot", snapshot)).digest("hex")}`
        : snapshot;
}

interface Bringing extends SnapshotWish {
    readonly cluster: Cluster;
    readonly record: RecoveryRecord;
    readonly controller: Controller;
    readonly say: (line: string) => void;
}

/**
 * Puts the snapshot on the controller, decrypted. Nothing else is changed before.
 *
 * @param snapshots - names of those that the controller has
 */
export async function bringSnapshot(bringing: Bringing, snapshots: readonly string[]): Promise<RestoreSource> {
    const { cluster, controller, snapshot, say } = bringing;
    if (bringing.isStored) return fetchFromStore(bringing);
    const isFile = snapshot !== undefined && existsSync(snapshot);
    const { directory, s3 } = cluster.etcdSnapshots;
    const source = snapshotSource({
        ...{ snapshot, isFile, directory, snapshots },
        brought: restoredSnapshot,
        controller: controller.name,
        cluster: cluster.name,
        hasStore: s3 !== undefined,
    });
    if (isFile) {
        const contents = await readSnapshot(snapshot, snapshotKeys(bringing.record, bringing.snapshotKeys));
        await bringFile(controller, restoredSnapshot, contents);
        say(`copied ${snapshot} to ${controller.name} (${contents.length} bytes)`);
    } else if ("file" in source) {
        await requireWhole(controller, source.file, snapshots);
    }
    return source;
}

/** Compares a snapshot with the checksum at its end. */
const check = `set -eu
size=$(wc -c <"$1")
if [ $((size % ${pageBytes})) -eq ${hashBytes} ]; then
    found=$(head -c "$((size - ${hashBytes}))" <"$1" | sha256sum | cut -d ' ' -f 1)
    if [ "$found" = "$(tail -c ${hashBytes} <"$1" | od -A n -t x1 -v | tr -d ' \\n')" ]; then echo whole; fi
fi`;

/** @throws before anything is changed: the restore would refuse it, when the other controllers have lost their data */
export async function requireWhole(controller: Controller, file: string, snapshots: readonly string[]): Promise<void> {
    if ((await controller.run(check, [file])).trim() === "whole") return;
    const others = snapshots.filter((each) => each !== basename(file, ".db"));
    const advice = others.length > 0 ? `one of ${others.join(", ")}` : "FILE";
    throw new Error(`${file} on ${controller.name} is damaged: use --snapshot with ${advice}`);
}

/** By the controller, whose role or network may be the only ones that reach the store. */
async function fetchFromStore(bringing: Bringing): Promise<RestoreSource> {
    const { cluster, record, controller, snapshot: name, say } = bringing;
    const { s3 } = cluster.etcdSnapshots;
    if (s3 === undefined) {
        throw new Error("--store needs a cluster whose snapshots are copied to a store (etcdSnapshots.s3)");
    }
    const secrets = { ...record.snapshotSecrets, encryptionKeys: snapshotKeys(record, bringing.snapshotKeys) };
    const { files, command } = snapshotFetch(cluster, { s3, secrets, name, agent: bundleAgent("etcd-keeper") });
    for (const [file, text] of Object.entries(files)) {
        await bringFile(controller, `${etcdRestorePath}/${file}`, Buffer.from(text));
    }
    const output = await controller.run(command);
    say(`${controller.name} fetched ${output.trim().split("\n").at(-1)} from ${s3.endpoint}/${s3.bucket}`);
    return { file: restoredSnapshot };
}
