import type { SnapshotManifest } from "../../agents/etcd/keeper/directory";
import type { ApiClient } from "../../clients/kubernetes/api-client";
import { clientOf } from "../../clients/kubernetes/kubeconfig";
import { resolveCluster } from "../../cluster/resolve";
import { command } from "../../command-line/command";
import { flag, invalidOption, UsageError, type Values, value } from "../../command-line/parse";
import { writePrivate } from "../../command-line/private-file";
import type { RecoveryRecord } from "../../components/bootstrap/bootstrap";
import { snapshotNow } from "../../components/upgrade/etcd-snapshot";
import { type ClusterAccess, clusterOptions, type ReachedCluster, reachCluster } from "../reach/cluster";
import type { Controller } from "../reach/controller";
import { currentControllers } from "../reach/controllers";
import { paintFor, table } from "../status/render/table";
import { readSnapshot, snapshotKeys, snapshotKeysOption } from "./decrypt";
import { fetchSnapshot, snapshotsOn } from "./on-controller";

const HEADING = ["SNAPSHOT", "CONTROLLER", "TIME", "BYTES", "KEYS", "TAKEN BY"];

const options = {
    to: value(
        "FILE",
        "copy the snapshot to a local file, readable by its owner only: it contains every Secret (with --name or --stack)",
    ),
    list: flag(
        "list the snapshots in the controllers' snapshot directories instead of taking one (with --name or --stack)",
        { excludes: ["to", "node"] },
    ),
    decrypt: value(
        "FILE",
        "decrypt a snapshot of the store (.db.enc) to the file of --to, instead of taking one",
        undefined,
        {
            excludes: ["list", "node"],
            needs: "--to",
        },
    ),
    snapshotKeys: { ...snapshotKeysOption, needs: "--decrypt" },
    keysTo: value(
        "FILE",
        "write the keys of encrypted snapshots in the stack's state to a file, to be kept elsewhere (with --name or --stack)",
        undefined,
        { excludes: ["list", "to", "node"] },
    ),
    node: value("NAME", "the controller that takes and stores the snapshot"),
    ...clusterOptions,
};

type SnapshotOptions = Values<typeof options>;

export const program = command(
    {
        name: "tradewind snapshot",
        about: "Takes an etcd snapshot, or lists the existing ones.",
        options,
        notes: `Examples:
  tradewind snapshot --stack prod --to prod.db     take one, and copy it
  tradewind snapshot --stack prod --list           list what the controllers have
  tradewind snapshot --stack prod --keys-to keys   copy the keys, which are lost with the stack's state
  tradewind snapshot --decrypt prod-20261121T053834.123Z.db.enc --to prod.db --snapshot-keys keys

To restore a snapshot: tradewind recover --from snapshot`,
    },
    snapshot,
);

/** `tradewind snapshot`: 0 if a snapshot was taken or decrypted, all were listed, or the keys were written. */
async function snapshot(chosen: SnapshotOptions): Promise<number> {
    if (chosen.decrypt !== undefined || chosen.keysTo !== undefined) {
        await useKeys(chosen);
        return 0;
    }
    const reached = await reachCluster(chosen);
    const { access } = reached;
    const machines = await controllersOf(reached, chosen);
    if (chosen.list) {
        await list(machines!);
        return 0;
    }
    const node = chosen.node ?? machines?.controllers[0]?.name;
    const { last, object } = await snapshotNow(apiOf(access), { node });
    if (last === undefined) {
        throw new Error("no snapshot was taken");
    }
    console.log(`${last.name}: ${last.size} bytes, ${last.keys} keys, verified, on ${last.node}`);
    if (object) {
        console.log(`copied to the store: ${object}`);
    }
    if (chosen.to !== undefined) {
        await copy(machines!, last, chosen.to);
    }
    return 0;
}

/** Decrypts a file, without the stack if the keys are in another one; or copies the stack's keys. */
async function useKeys(chosen: SnapshotOptions): Promise<void> {
    const { decrypt, to, snapshotKeys: given, keysTo, name, stack } = chosen;
    const hasStack = name !== undefined || stack !== undefined || given === undefined;
    const keys = snapshotKeys(hasStack ? await recordOf(chosen) : undefined, given);
    if (decrypt !== undefined) {
        const contents = await readSnapshot(decrypt, keys);
        writePrivate(to!, contents);
        console.log(`wrote ${to}: ${contents.length} bytes`);
        return;
    }
    if (keys.length === 0) throw new Error("the stack has no keys of encrypted snapshots");
    writePrivate(keysTo!, `${keys.join("\n")}\n`);
    console.log(`wrote ${keysTo}: ${keys.length} ${keys.length === 1 ? "key" : "keys"}`);
}

async function recordOf(chosen: SnapshotOptions): Promise<RecoveryRecord> {
    const { machines } = await reachCluster(chosen);
    if (machines === undefined) {
        throw new UsageError("keys are in the cluster's stack; use --name, --stack or --snapshot-keys");
    }
    return machines.record();
}

interface Controllers {
    readonly controllers: readonly Controller[];
    /** Of the snapshots. */
    readonly directory: string;
}

/** The controllers, if they can be reached without the API. */
async function controllersOf(
    { access, machines }: ReachedCluster,
    { list, to, node }: SnapshotOptions,
): Promise<Controllers | undefined> {
    if (machines === undefined) {
        const option = list ? "--list" : to !== undefined ? "--to" : undefined;
        if (option) {
            throw new UsageError(`${option} needs the cluster's stack; use --name or --stack`);
        }
        return undefined;
    }
    await machines.ready();
    const cluster = resolveCluster((await machines.record()).options);
    const names = await currentControllers({ access, machines }, cluster);
    if (node !== undefined && !names.includes(node)) {
        throw invalidOption("--node", `one of ${names.join(", ")}`, node);
    }
    return {
        controllers: names.map((name) => machines.controller(name)),
        directory: cluster.etcdSnapshots.directory,
    };
}

async function list({ controllers, directory }: Controllers): Promise<void> {
    const rows: string[][] = [];
    for (const controller of controllers) {
        for (const { name, time, size, keys, trigger } of await snapshotsOn(controller, directory)) {
            rows.push([name, controller.name, time, `${size}`, `${keys}`, trigger]);
        }
    }
    console.log(
        rows.length > 0
            ? table(HEADING, rows, paintFor(process.stdout)).join("\n")
            : `no snapshots in ${directory} on ${controllers.map(({ name }) => name).join(", ")}`,
    );
}

async function copy({ controllers, directory }: Controllers, snapshot: SnapshotManifest, to: string): Promise<void> {
    const controller = controllers.find(({ name }) => name === snapshot.node);
    if (controller === undefined) {
        throw new Error(`${snapshot.node} is not a controller`);
    }
    writePrivate(to, await fetchSnapshot(controller, directory, snapshot));
    console.log(`copied to ${to}`);
}

function apiOf({ connection, name, local }: ClusterAccess): ApiClient {
    if (connection === undefined) {
        throw new Error(`${name} has no kubeconfig yet; run ${local ? `npm start -- --name ${name}` : "pulumi up"}`);
    }
    return clientOf(connection, "tradewind-snapshot");
}
