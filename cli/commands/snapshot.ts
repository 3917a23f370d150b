import { ApiClient } from "../../agents/common/api-client";
import type { SnapshotManifest } from "../../agents/etcd-keeper/manifest";
import { resolveCluster } from "../../components/cluster/resolve";
import { snapshotNow } from "../../components/etcd-snapshot-now";
import { type ClusterAccess, credentialsOf } from "../cluster-access";
import { writePrivate } from "../private-file";
import { type ReachedCluster, reachCluster } from "../reach-cluster";
import type { Controller } from "../recover/controller";
import { fetchSnapshot, snapshotsOn } from "../snapshot/on-controller";
import { parseSnapshotOptions, SNAPSHOT_HELP, type SnapshotOptions } from "../snapshot/options";
import { paintFor } from "../status/render/style";
import { table } from "../status/render/table";
import { invalidOption, UsageError } from "../usage-error";

const HEADING = ["SNAPSHOT", "CONTROLLER", "TIME", "BYTES", "KEYS", "TAKEN BY"];

export { SNAPSHOT_HELP as help } from "../snapshot/options";

/** `tradewind snapshot`: 0 when a snapshot was taken, or all were listed. */
export async function run(args: readonly string[]): Promise<number> {
    const options = parseSnapshotOptions(args);
    if (options.isHelp) {
        process.stdout.write(SNAPSHOT_HELP);
        return 0;
    }
    const reached = await reachCluster(options);
    const { access } = reached;
    const machines = await controllersOf(reached, options);
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

interface Controllers {
    readonly controllers: readonly Controller[];
    /** Of the snapshots. */
    readonly directory: string;
}

/** The controllers, where they can be reached without the API. */
async function controllersOf({ machines }: ReachedCluster, options: SnapshotOptions): Promise<Controllers | undefined> {
    if (machines === undefined) {
        const wanted = options.isList ? "--list" : options.to !== undefined ? "--to" : undefined;
        if (wanted) {
            throw new UsageError(`${wanted} needs the stack of the cluster: give it by --name or --stack`);
        }
        return undefined;
    }
    await machines.ready();
    const { controllers, etcdSnapshots } = resolveCluster((await machines.record()).options);
    if (options.node !== undefined && !controllers.names.includes(options.node)) {
        throw invalidOption("--node", `one of ${controllers.names.join(", ")}`, options.node);
    }
    return {
        controllers: controllers.names.map((name) => machines.controller(name)),
        directory: etcdSnapshots.directory,
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
            : `there is no snapshot in ${directory} of ${controllers.map(({ name }) => name).join(", ")}`,
    );
}

async function copy({ controllers, directory }: Controllers, snapshot: SnapshotManifest, to: string): Promise<void> {
    const controller = controllers.find(({ name }) => name === snapshot.node);
    if (controller === undefined) {
        throw new Error(`${snapshot.node} must be a controller of the stack, and is not`);
    }
    writePrivate(to, await fetchSnapshot(controller, directory, snapshot));
    console.log(`copied to ${to}`);
}

function apiOf({ connection, name, local }: ClusterAccess): ApiClient {
    if (connection === undefined) {
        throw new Error(`${name} has no kubeconfig yet: ${local ? `npm start -- --name ${name}` : "pulumi up"}`);
    }
    return new ApiClient(connection.server, () => credentialsOf(connection), "tradewind-snapshot");
}
