import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../../clients/kubernetes/api-client";
import { ApiError, isTransient } from "../../clients/kubernetes/api-error";
import { clientOf } from "../../clients/kubernetes/kubeconfig";
import type { Cluster } from "../../cluster/model";
import { resolveCluster } from "../../cluster/resolve";
import { writePrivate } from "../../command-line/private-file";
import { snapshotNow } from "../../components/upgrade/etcd-snapshot";
import { pulumiJson } from "../../local/pulumi";
import { Stages } from "../../local/stages";
import { type ClusterState, clusterState } from "../../local/state";
import { makeResumable, operate } from "../../local/up";
import type { Timing } from "../../local/up-output";
import { findCluster } from "../reach/cluster";
import { localController } from "../reach/controller";
import { currentControllers } from "../reach/controllers";
import { stackRecord } from "../reach/stack-record";
import { recover } from "../recover/recover";
import { fetchSnapshot, snapshotsOn } from "../snapshot/on-controller";
import { type Comparison, compare, type Difference, ignoredFields, ignoredObjects } from "./compare";
import { drillObjects, removeDrillObjects } from "./fill";
import { everyObject } from "./list";
import { waitUntilSettled } from "./settled";

const recoverSeconds = 900;

/** Destroys all controllers of a local cluster, restores them from a snapshot, and compares all objects. */
export async function drill(name: string, count: number): Promise<DrillResult> {
    const stages = new Stages(8);
    const state = clusterState(name);
    const record = await stackRecord(state);
    const cluster = resolveCluster(record.options);
    const controllers = await drilledControllers(name, cluster);
    const [first = ""] = controllers;
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
        const listing = await everyObject(api);
        const kinds = new Set(listing.objects.map(({ kind }) => kind));
        say(`${listing.objects.length} objects of ${kinds.size} kinds`);
        for (const [what, why] of listing.leftOut) say(`not compared: ${what}: ${why}`);
        return listing;
    });
    const file = join(state.dir, "drill-snapshot.db");
    await stages.run("snapshot", `of etcd, to ${file}`, async (say) => {
        const { last } = await snapshotNow(api, { node: first });
        const manifest = (await snapshotsOn(controller, directory)).find((each) => each.name === last?.name);
        if (manifest === undefined) {
            throw new Error(`the snapshot ${last?.name} is not on ${first}`);
        }
        writePrivate(file, await fetchSnapshot(controller, directory, manifest));
        say(`${manifest.name}: ${manifest.size} bytes, ${manifest.keys} keys`);
    });
    const [lost, lostAt] = [performance.now(), Date.now()];
    await stages.run("new controllers", `${controllers.join(", ")}, with empty disks`, (say) =>
        replaceMachines(state, controllers, say),
    );
    await stages.run("recover", `${first} from the snapshot`, (say) =>
        recover({
            cluster,
            record,
            controller,
            // These are new, too.
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
        waitUntilSettled(api, { nodes, renewed: controllers, since: lostAt }, say),
    );
    const seconds = (performance.now() - lost) / 1000;
    const comparison = await stages.run("compare", "every object of every kind", async () =>
        compare(before.objects, (await everyObject(api, before)).objects),
    );
    await stages.run("clean up", "objects created by the drill", async () => {
        await removeDrillObjects(api, before.objects);
        if (comparison.differences.length === 0) {
            rmSync(file, { force: true });
        }
    });
    return { cluster: name, timings: stages.timings, comparison, seconds };
}

/** Those of now, and the arbiter, whose member has the data too. Only the stack's first can restore a cluster on an empty disk. */
async function drilledControllers(name: string, cluster: Cluster): Promise<string[]> {
    const machines = { controller: (node: string) => localController(name, node) };
    const current = await currentControllers({ access: findCluster({ name }), machines }, cluster);
    const [first = ""] = cluster.controllers.names;
    if (!current.includes(first)) {
        throw new Error(
            `${first} must be a controller for a drill; first run \`tradewind promote ${first} --name ${name}\``,
        );
    }
    return [...current, ...(cluster.controllers.arbiter?.nodes ?? [])];
}

function apiOf(name: string): ApiClient {
    const { connection } = findCluster({ name });
    if (connection === undefined) {
        throw new Error(`cluster ${name} does not exist; create it with npm start -- --name ${name}`);
    }
    return clientOf(connection, "tradewind-drill");
}

/** Retries while a newly defined kind is not served yet; objects left by an interrupted drill are fine. */
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

interface Export {
    readonly deployment: { readonly resources: readonly { readonly urn: string }[] };
}

/** Destroys machines with their disks and recreates them under the same names, through the stack but without its other resources. */
async function replaceMachines(
    state: ClusterState,
    names: readonly string[],
    say: (line: string) => void,
): Promise<void> {
    const { deployment } = await pulumiJson<Export>(state, ["stack", "export"]);
    const targets = machineUrns(
        deployment.resources.map(({ urn }) => urn),
        names,
    );
    await makeResumable(state, say);
    // The cluster with the rest of the stack is lost together with its controllers.
    await operate(
        state,
        [
            "up",
            "--skip-preview",
            "--yes",
            "--config-file",
            state.config,
            ...targets.flatMap((urn) => ["--target-replace", urn]),
        ],
        say,
        { TRADEWIND_WITHOUT_API: "true" },
    );
}

/** URNs of machines by name. */
export function machineUrns(urns: readonly string[], names: readonly string[]): string[] {
    return names.map((name) => {
        const urn = urns.find((each) => each.endsWith(`$command:local:Command::${name}`));
        if (urn === undefined) {
            throw new Error(`machine ${name} is not in the stack`);
        }
        return urn;
    });
}

export interface DrillResult {
    readonly cluster: string;
    readonly timings: readonly Timing[];
    readonly comparison: Comparison;
    /** Seconds from destroying the first machine until every node and pod was ready again. */
    readonly seconds: number;
}

/** Readable result of a drill. */
export function renderReport({ cluster, timings, comparison, seconds }: DrillResult): string {
    const { compared, ignored, differences } = comparison;
    const width = Math.max(...timings.map(({ stage }) => stage.length));
    const verdict =
        differences.length === 0
            ? `all ${compared} objects are unchanged`
            : `${differences.length} of ${compared} objects differ:\n\n${differences.map(describe).join("\n")}`;
    return `restore drill of ${cluster}: ${verdict}

from the loss of all controllers to every pod Ready: ${seconds.toFixed(1)} s

${timings.map((each) => `  ${each.stage.padEnd(width)}  ${each.seconds.toFixed(1).padStart(7)} s`).join("\n")}

not compared (${ignored} objects):
${[...ignoredObjects, ...ignoredFields].map(({ what, why }) => `  ${what}: ${why}`).join("\n")}
`;
}

function describe(difference: Difference): string {
    const { object, kind } = difference;
    return `  ${kind.padEnd(7)}  ${object}${difference.kind === "changed" ? `: ${difference.paths.join(", ")}` : ""}`;
}
