import { existsSync } from "node:fs";
import { join } from "node:path";
import { resolveCluster } from "../../cluster/resolve";
import { command } from "../../command-line/command";
import { oneOf, UsageError, type Values, value } from "../../command-line/parse";
import { writePrivate } from "../../command-line/private-file";
import { replaceFile } from "../../command-line/replace-file";
import { KUBERNETES_VERSIONS } from "../../versions";
import { type ClusterAccess, type ClusterMachines, clusterOptions, reachCluster } from "../reach/cluster";
import { currentControllers } from "../reach/controllers";
import { readSnapshot, snapshotKeys, snapshotKeysOption } from "../snapshot/decrypt";
import { fetchSnapshot, newestSnapshot } from "../snapshot/on-controller";
import { inPrivateFolder } from "./folder";
import { type Rehearsal, rehearse } from "./rehearse";
import { isGood, renderRehearsal } from "./report";
import { requireRoom } from "./size";

const options = {
    kubernetes: value("VERSION", "version to upgrade to", oneOf(KUBERNETES_VERSIONS)),
    snapshot: value("FILE", "a snapshot of the cluster, which may be encrypted", undefined, {
        otherwise: "the newest one on the controllers",
    }),
    snapshotKeys: { ...snapshotKeysOption, needs: "--snapshot" },
    report: value("FILE", "write the report to a file: as JSON if its name ends in .json, otherwise as Markdown"),
    ...clusterOptions,
};

type RehearseOptions = Values<typeof options>;

export const program = command(
    {
        name: "tradewind rehearse",
        about: "Rehearses an upgrade on this machine: restores a snapshot into an etcd of its own, runs kube-apiserver of both versions on it with the cluster's configuration, and compares every object. The cluster itself is not touched.",
        options,
        notes: `Secrets of the cluster stay on this machine, in a folder that is removed in the end. The report has names of objects
and fields, but no values.

Examples:
  tradewind rehearse --stack prod --kubernetes 1.37.1 --report rehearsal.json
  tradewind preview --stack prod --rehearsal rehearsal.json

Exit codes:
  0    the new version has every object, and so has the earlier one afterwards
  1    objects would be lost (they are listed), or the rehearsal failed
  2    invalid command line`,
    },
    run,
);

/** `tradewind rehearse`: 0 if the upgrade loses nothing. */
async function run(chosen: RehearseOptions): Promise<number> {
    const { kubernetes: to, report: target } = chosen;
    if (to === undefined) throw new UsageError("--kubernetes is required: the version to upgrade to");
    const { access, machines } = await reachCluster(chosen);
    if (machines === undefined) {
        throw new UsageError("a rehearsal needs the keys in the cluster's stack; use --name or --stack");
    }
    const record = await machines.record();
    const report = await inPrivateFolder(async (folder) => {
        const snapshot =
            chosen.snapshot === undefined
                ? await newest(access, machines, folder)
                : await given(chosen.snapshot, snapshotKeys(record, chosen.snapshotKeys), folder);
        return rehearse({ record, to, snapshot, folder });
    });
    const text = renderRehearsal(report);
    // First: what took minutes is shown although it cannot be written.
    console.log(`\n${text}`);
    if (target !== undefined) {
        replaceFile(target, target.endsWith(".json") ? `${JSON.stringify(report, undefined, 4)}\n` : text);
    }
    return isGood(report) ? 0 : 1;
}

/** Copies the newest snapshot of all controllers. */
async function newest(
    access: ClusterAccess,
    machines: ClusterMachines,
    folder: string,
): Promise<Rehearsal["snapshot"]> {
    await machines.ready();
    const cluster = resolveCluster((await machines.record()).options);
    const { directory } = cluster.etcdSnapshots;
    const names = await currentControllers({ access, machines }, cluster);
    const last = await newestSnapshot(
        cluster.name,
        names.map((name) => machines.controller(name)),
        directory,
    );
    if (last === undefined) {
        throw new Error(
            `the controllers have no snapshot of ${cluster.name} in ${directory}; take one with tradewind snapshot`,
        );
    }
    requireRoom(last.manifest.size, folder);
    const file = join(folder, "snapshot.db");
    writePrivate(file, await fetchSnapshot(last.machine, directory, last.manifest));
    return { file, name: last.manifest.name, time: last.manifest.time };
}

async function given(path: string, keys: readonly string[], folder: string): Promise<Rehearsal["snapshot"]> {
    if (!existsSync(path)) throw new UsageError(`--snapshot must be a file (got ${path})`);
    const file = join(folder, "snapshot.db");
    writePrivate(file, await readSnapshot(path, keys));
    return { file, name: path };
}
