import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiClient } from "../../agents/common/api-client";
import { ApiError, isTransient } from "../../agents/common/api-error";
import { resolveCluster } from "../../components/cluster/resolve";
import { snapshotNow } from "../../components/etcd-snapshot-now";
import { credentialsOf, findCluster } from "../cluster-access";
import { writePrivate } from "../private-file";
import { localController } from "../recover/controller";
import { recover } from "../recover/recover";
import { stackRecord } from "../recover/stack-record";
import { fetchSnapshot, snapshotsOn } from "../snapshot/on-controller";
import { Stages } from "../stages";
import { clusterState } from "../state";
import { compare } from "./compare";
import { drillObjects, removeDrillObjects } from "./fill";
import { replaceMachines } from "./new-controllers";
import { everyObject } from "./objects";
import type { DrillResult } from "./report";
import { waitUntilSettled } from "./settled";

const recoverSeconds = 900;

/** Loses all controllers of a cluster of this computer, restores them from a snapshot, and compares what is there. */
export async function drill(name: string, count: number): Promise<DrillResult> {
    const stages = new Stages(8);
    const state = clusterState(name);
    const record = await stackRecord(state);
    const cluster = resolveCluster(record.options);
    const [first = ""] = cluster.controllers.names;
    const { directory } = cluster.etcdSnapshots;
    const nodes = Object.keys(record.machines);
    const api = apiOf(name);
    const controller = localController(name, first);

    await stages.run("fill", `${count} ConfigMaps and Secrets, and one or more of other kinds`, async (say) => {
        for (const { path, object } of drillObjects(count, cluster.images.pause)) {
            await create(api, path, object);
        }
        await waitUntilSettled(api, { nodes, renewed: [], since: 0 }, say);
    });
    const before = await stages.run("list", "every object of every kind", async (say) => {
        const objects = await everyObject(api);
        say(`${objects.length} objects of ${new Set(objects.map(({ kind }) => kind)).size} kinds`);
        return objects;
    });
    const file = join(state.dir, "drill-snapshot.db");
    await stages.run("snapshot", `of etcd, to ${file}`, async (say) => {
        const { last } = await snapshotNow(api, { node: first });
        const manifest = (await snapshotsOn(controller, directory)).find((each) => each.name === last?.name);
        if (manifest === undefined) {
            throw new Error(`${first} must have the snapshot ${last?.name}, and has not`);
        }
        writePrivate(file, await fetchSnapshot(controller, directory, manifest));
        say(`${manifest.name}: ${manifest.size} bytes, ${manifest.keys} keys`);
    });
    const [lost, lostAt] = [performance.now(), Date.now()];
    await stages.run("new controllers", `${cluster.controllers.names.join(", ")}, with empty disks`, (say) =>
        replaceMachines(state, cluster.controllers.names, say),
    );
    await stages.run("recover", `${first} from the snapshot`, (say) =>
        recover({
            cluster,
            record,
            controller,
            // They are new, too.
            others: [],
            from: "snapshot",
            snapshot: file,
            isHeld: false,
            isPlain: false,
            timeout: recoverSeconds,
            say,
        }),
    );
    await stages.run("ready", "every node and every pod", (say) =>
        waitUntilSettled(api, { nodes, renewed: cluster.controllers.names, since: lostAt }, say),
    );
    const seconds = (performance.now() - lost) / 1000;
    const comparison = await stages.run("compare", "every object of every kind", async () =>
        compare(before, await everyObject(api)),
    );
    await stages.run("clean up", "what the drill made", async () => {
        await removeDrillObjects(api, before);
        if (comparison.differences.length === 0) {
            rmSync(file, { force: true });
        }
    });
    return { cluster: name, timings: stages.timings, comparison, seconds };
}

function apiOf(name: string): ApiClient {
    const { connection } = findCluster({ name });
    if (connection === undefined) {
        throw new Error(`${name} must have been made: npm start -- --name ${name}`);
    }
    return new ApiClient(connection.server, () => credentialsOf(connection), "tradewind-drill");
}

/** A kind that was defined a moment ago is not served yet; what an interrupted drill left is as good. */
async function create(api: ApiClient, path: string, body: object): Promise<void> {
    const deadline = Date.now() + 30_000;
    for (;;) {
        try {
            await api.call(path, { method: "POST", body });
            return;
        } catch (error) {
            if (error instanceof ApiError && error.status === 409) {
                return;
            }
            const mayPass = isTransient(error) || (error instanceof ApiError && error.status === 404);
            if (!mayPass || Date.now() > deadline) {
                throw error;
            }
        }
        await sleep(200);
    }
}
