import {
    closeSync,
    existsSync,
    fsyncSync,
    mkdirSync,
    openSync,
    readdirSync,
    readFileSync,
    renameSync,
    rmSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describeError } from "../../../../clients/kubernetes/api-error";
import { probe } from "../../../../clients/probe";
import { removeDurably, syncDirectory, writeDurably, writeIfOther } from "../../../harness/durable";
import { jsonObject, readState } from "../../../harness/state-file";
import { runSteps, type StepEvent, type Step as StepOf } from "../../../harness/steps";
import { type Patience, waitFor } from "../../../harness/wait";
import { staticPodFile } from "../../member/files";
import { hasShell, waitUntilStopped } from "../../member/process";
import { runEtcdutl, verifySnapshot } from "../snapshot";
import { copySource } from "./fetch";
import { defaultBumpRevision, defaultTimeouts, type RestorePlan, type StepName } from "./plan";

/** Context of every step. */
interface Run extends Patience {
    readonly plan: RestorePlan;
    readonly places: Places;
}

type Step = StepOf<StepName, Run>;

/** Recreates this machine's member from a snapshot, or resumes a run that was killed. */
export async function restore(plan: RestorePlan, log: (event: StepEvent) => void): Promise<void> {
    await runSteps(steps, { plan, places: placesOf(plan) }, defaultTimeouts, log);
}

/** Fetches and verifies the snapshot before anything else is touched. */
const fetchSnapshot: Step = {
    name: "fetch-snapshot",
    run: async ({ plan, places, report }: Run) => {
        if (existsSync(places.swapping)) {
            return "the data was already restored";
        }
        mkdirSync(plan.directories.state, { recursive: true, mode: 0o700 });
        const verify = async () => {
            const { revision, keys, size } = await verifySnapshot(places.snapshot, plan.etcdutl);
            return `${size} bytes: revision ${revision}, ${keys} keys`;
        };
        if (existsSync(places.snapshot)) {
            try {
                return await verify();
            } catch (error) {
                report(`the copy of an earlier run is damaged and fetched again: ${describeError(error)}`);
            }
        }
        await copySource(plan.source, places.snapshot);
        return verify();
    },
};

/** Writes the new data next to the old data. */
const restoreData: Step = {
    name: "restore-data",
    run: async ({ plan, places }: Run) => {
        if (existsSync(places.swapping) || existsSync(places.restored)) {
            return "the data was already restored";
        }
        const { member, initialCluster, etcdutl, id, bumpRevision = defaultBumpRevision } = plan;
        const parent = dirname(places.restoring);
        mkdirSync(parent, { recursive: true, mode: 0o700 });
        // etcdutl must create it itself.
        rmSync(places.restoring, { recursive: true, force: true });
        await runEtcdutl(etcdutl, [
            "snapshot",
            "restore",
            places.snapshot,
            `--data-dir=${places.restoring}`,
            `--name=${member.name}`,
            `--initial-advertise-peer-urls=${member.peerUrl}`,
            `--initial-cluster=${initialCluster}`,
            // Makes it another cluster to etcd, so that no old member can join by mistake.
            `--initial-cluster-token=${id}`,
            `--bump-revision=${bumpRevision}`,
            "--mark-compacted",
        ]);
        syncTree(places.restoring);
        renameSync(places.restoring, places.restored);
        syncDirectory(parent);
        return `restored as ${member.name} of ${initialCluster}`;
    },
};

/** Installs the member's static pod for the kubelet. */
const startMember: Step = {
    name: "start-member",
    run: async ({ plan, places }: Run) => {
        const text = plan.staticPod
            ? `${JSON.stringify(plan.staticPod, null, 2)}\n`
            : readFileSync(places.staticPodBefore, "utf8");
        mkdirSync(dirname(places.staticPod), { recursive: true });
        return writeIfOther(places.staticPod, text) ? `wrote ${places.staticPod}` : "its static pod is in place";
    },
};

/** Stops the old member and keeps it from restarting. */
const stopMember: Step = {
    name: "stop-member",
    run: async (run: Run) => {
        const { plan, places } = run;
        if (existsSync(places.swapping)) {
            return "the data was already restored";
        }
        if (existsSync(places.staticPod)) {
            // The kubelet runs every file in its static pod directory, so the copy is elsewhere.
            if (plan.staticPod === undefined && readState(places.staticPod, jsonObject) === undefined) {
                throw new Error(`staticPod is required because ${places.staticPod} is damaged`);
            }
            writeDurably(places.staticPodBefore, readFileSync(places.staticPod, "utf8"));
            removeDurably(places.staticPod);
        } else if (plan.staticPod === undefined && !existsSync(places.staticPodBefore)) {
            throw new Error(`staticPod is required because ${places.staticPod} does not exist`);
        }
        const { peerUrl, healthUrl } = plan.member;
        const mayStart = hasShell(places.staticPodBefore);
        await waitUntilStopped(run, "the member to stop", [peerUrl, healthUrl], mayStart);
        return "the member is stopped";
    },
};

/** Puts the new data in place of the old data, which is kept. */
const swapData: Step = {
    name: "swap-data",
    run: async ({ plan, places }: Run) => {
        const { data } = plan.directories;
        if (!existsSync(places.swapping)) {
            writeDurably(places.swapping, `${new Date().toISOString()}\n`);
        }
        if (!existsSync(places.restored)) {
            return "the data was already swapped";
        }
        if (existsSync(data)) {
            if (existsSync(places.before)) {
                throw new Error(
                    `${data} must not exist alongside ${places.before}: something wrote to it in the meantime`,
                );
            }
            renameSync(data, places.before);
            syncDirectory(dirname(data));
        }
        renameSync(places.restored, data);
        syncDirectory(dirname(data));
        rmSync(places.snapshot, { force: true });
        return existsSync(places.before) ? `the old data is in ${places.before}` : "there was no old data";
    },
};

/** Waits until the member is part of a quorum of the restored members. */
const waitUntilServing: Step = {
    name: "wait-until-serving",
    run: async (run) => {
        const url = `${run.plan.member.healthUrl}/readyz`;
        await waitFor(run, `member ${run.plan.member.name} to be ready`, () => probe(url), { slowTo: 500 });
        return `${url} is ok`;
    },
};

/** Each step derives what is left to do from the disk. Nothing is changed before `stop-member`. */
const steps: readonly Step[] = [fetchSnapshot, stopMember, restoreData, swapData, startMember, waitUntilServing];

/** Flushes everything below a folder to the disk. */
function syncTree(folder: string): void {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name);
        entry.isDirectory() ? syncTree(path) : syncFile(path);
    }
    syncDirectory(folder);
}

function syncFile(path: string): void {
    const descriptor = openSync(path, "r+");
    try {
        fsyncSync(descriptor);
    } finally {
        closeSync(descriptor);
    }
}

/** Paths of this restore. All of them contain its ID. */
interface Places {
    /** The snapshot, once it is here and complete. */
    readonly snapshot: string;
    /** The previous static pod. */
    readonly staticPodBefore: string;
    /** Exists from the moment the data may have been swapped. */
    readonly swapping: string;
    /** The new data, while it is written and once it is complete. */
    readonly restoring: string;
    readonly restored: string;
    /** The old data. */
    readonly before: string;
    readonly staticPod: string;
}

function placesOf({ id, directories }: Pick<RestorePlan, "id" | "directories">): Places {
    const { data, state, staticPods } = directories;
    return {
        snapshot: `${state}/${id}.db`,
        staticPodBefore: `${state}/${id}.etcd.json`,
        swapping: `${state}/${id}.swapping`,
        restoring: `${data}.restoring-${id}`,
        restored: `${data}.restored-${id}`,
        before: `${data}.before-${id}`,
        staticPod: `${staticPods}/${staticPodFile}`,
    };
}
