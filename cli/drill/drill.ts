import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiClient } from "../../agents/common/api-client";
import { ApiError, describePassing, isTransient } from "../../agents/common/api-error";
import { type KubernetesVersion, programPath } from "../../artifacts";
import { resolveCluster } from "../../components/cluster/resolve";
import { credentialsOf, findCluster } from "../cluster-access";
import { writePrivate } from "../private-file";
import { waitUntilReady } from "../ready";
import { localController } from "../recover/controller";
import { recover } from "../recover/recover";
import { stackRecord } from "../recover/stack-record";
import { fetchSnapshot, snapshotsOn } from "../snapshot/on-controller";
import { snapshotNow } from "../snapshot-now";
import { Stages } from "../stages";
import { clusterState } from "../state";
import { compare } from "./compare";
import { drillObjects, removeDrillObjects } from "./fill";
import { replaceMachines } from "./new-controllers";
import { everyObject } from "./objects";
import type { DrillResult } from "./report";
import { type PodStatus, stalePods } from "./stale-pods";

const recoverSeconds = 900;
const readySeconds = 300;

/** Loses all controllers of a cluster of this computer, restores them from a snapshot, and compares what is there. */
export async function drill(name: string, count: number): Promise<DrillResult> {
    const stages = new Stages(8);
    const state = clusterState(name);
    const record = await stackRecord(state);
    const cluster = resolveCluster(record.options);
    const [first = ""] = cluster.controllers.names;
    const { directory } = cluster.etcdSnapshots;
    const kubectl = programPath("kubectl", cluster.versions.kubernetes as KubernetesVersion);
    const ready = (say: (line: string) => void) =>
        waitUntilReady({ kubectl, kubeconfig: state.kubeconfig }, Object.keys(record.machines), say);
    const api = apiOf(name);
    const controller = localController(name, first);

    await stages.run("fill", `${count} ConfigMaps and Secrets, and one or more of other kinds`, async (say) => {
        for (const { path, object } of drillObjects(count, cluster.images.pause)) {
            await create(api, path, object);
        }
        await ready(say);
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
            from: "snapshot",
            snapshot: file,
            isHeld: false,
            isPlain: false,
            timeout: recoverSeconds,
            say,
        }),
    );
    await stages.run("ready", "every node and every pod", async (say) => {
        await untilFresh(api, cluster.controllers.names, lostAt, say);
        await ready(say);
    });
    const seconds = (performance.now() - lost) / 1000;
    const comparison = await stages.run("compare", "every object of every kind", async () =>
        compare(before, await everyObject(apiOf(name))),
    );
    await stages.run("clean up", "what the drill made", async () => {
        await removeDrillObjects(apiOf(name));
        if (comparison.differences.length === 0) {
            rmSync(file, { force: true });
        }
    });
    return { cluster: name, timings: stages.timings, comparison, seconds };
}

/** Waits until the kubelets of new machines have told of their pods. */
async function untilFresh(api: ApiClient, nodes: readonly string[], since: number, say: (line: string) => void) {
    const deadline = Date.now() + readySeconds * 1000;
    for (let last = ""; ; await sleep(500)) {
        let waiting: string;
        try {
            const { items } = await api.call<{ items: PodStatus[] }>("/api/v1/pods");
            waiting = stalePods(items, nodes, since).join(", ");
        } catch (error) {
            waiting = describePassing(error);
        }
        if (waiting === "") {
            return;
        }
        if (Date.now() > deadline) {
            throw new Error(`waited ${readySeconds} s for news of pods of the new machines: ${waiting}`);
        }
        if (waiting !== last) {
            say(`waiting for news of ${waiting}`);
        }
        last = waiting;
    }
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
