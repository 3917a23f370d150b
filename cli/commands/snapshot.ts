import { ApiClient } from "../../agents/common/api-client";
import type { SnapshotManifest } from "../../agents/etcd-keeper/manifest";
import { resolveCluster } from "../../components/cluster/resolve";
import { snapshotNow } from "../../components/etcd-snapshot-now";
import { ensureEngine } from "../../machines";
import { type ClusterAccess, credentialsOf, findCluster } from "../cluster-access";
import { writePrivate } from "../private-file";
import { type Controller, localController } from "../recover/controller";
import { stackRecord } from "../recover/stack-record";
import { fetchSnapshot, snapshotsOn } from "../snapshot/on-controller";
import { parseSnapshotOptions, SNAPSHOT_HELP, type SnapshotOptions } from "../snapshot/options";
import { clusterState } from "../state";
import { paintFor } from "../status/render/style";
import { table } from "../status/render/table";
import { invalidOption, UsageError } from "../usage-error";

const HEADING = ["SNAPSHOT", "CONTROLLER", "TIME", "BYTES", "KEYS", "TAKEN BY"];

/** `tradewind snapshot`: 0 when a snapshot was taken, or all were listed. */
export async function run(args: readonly string[]): Promise<number> {
    const options = parseSnapshotOptions(args);
    if (options.isHelp) {
        process.stdout.write(SNAPSHOT_HELP);
        return 0;
    }
    const access = findCluster(options);
    const machines = await localMachines(access, options);
    if (options.isList) {
        await list(machines!);
        return 0;
    }
    const node = options.node ?? machines?.controllers[0]?.name;
    const { last, object } = await snapshotNow(apiOf(access), { node });
    if (last === undefined) {
        throw new Error("no snapshot was taken");
    }
    console.log(`${last.name}: ${last.size} bytes, ${last.keys} keys, verified, on ${last.node}`);
    if (object) {
        console.log(`a copy is in the store: ${object}`);
    }
    if (options.to !== undefined) {
        await copy(machines!, last, options.to);
    }
    return 0;
}

interface Machines {
    readonly controllers: readonly Controller[];
    /** Of the snapshots. */
    readonly directory: string;
}

/** The controllers, where they can be reached without the API. */
async function localMachines({ local }: ClusterAccess, options: SnapshotOptions): Promise<Machines | undefined> {
    if (local === undefined) {
        const wanted = options.isList ? "--list" : options.to !== undefined ? "--to" : undefined;
        if (wanted) {
            throw new UsageError(`${wanted} needs a cluster of this computer: give it by --name`);
        }
        return undefined;
    }
    await ensureEngine();
    const { controllers, etcdSnapshots } = resolveCluster((await stackRecord(clusterState(local))).options);
    if (options.node !== undefined && !controllers.names.includes(options.node)) {
        throw invalidOption("--node", `one of ${controllers.names.join(", ")}`, options.node);
    }
    return {
        controllers: controllers.names.map((name) => localController(local, name)),
        directory: etcdSnapshots.directory,
    };
}

async function list({ controllers, directory }: Machines): Promise<void> {
    const rows: string[][] = [];
    for (const controller of controllers) {
        for (const { name, time, size, keys, trigger } of await snapshotsOn(controller, directory)) {
            rows.push([name, controller.name, time, `${size}`, `${keys}`, trigger]);
        }
    }
    console.log(
        rows.length > 0
            ? table(HEADING, rows, paintFor(process.stdout)).join("\n")
            : `there is no snapshot in ${directory} of ${controllers.map(({ name }) => name).join(", ")}`,
    );
}

async function copy({ controllers, directory }: Machines, snapshot: SnapshotManifest, to: string): Promise<void> {
    const controller = controllers.find(({ name }) => name === snapshot.node);
    if (controller === undefined) {
        throw new Error(`${snapshot.node} must be a controller of the stack, and is not`);
    }
    writePrivate(to, await fetchSnapshot(controller, directory, snapshot));
    console.log(`copied to ${to}`);
}

function apiOf({ connection, name }: ClusterAccess): ApiClient {
    if (connection === undefined) {
        throw new Error(`${name} has no kubeconfig yet: npm start -- --name ${name}`);
    }
    return new ApiClient(connection.server, () => credentialsOf(connection), "tradewind-snapshot");
}
