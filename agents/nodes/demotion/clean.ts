import { existsSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { probe } from "../../../clients/probe";
import { checkpointerParent, copyFileName } from "../../checkpointer/plan";
import { copiesIn } from "../../checkpointer/static-pods";
import { staticPodFile } from "../../etcd/member/files";
import { stopMember } from "../../etcd/member/process";
import { removeDurably, syncDirectory } from "../../harness/durable";
import { runSteps, type StepEvent, type Step as StepOf } from "../../harness/steps";
import { type Patience, Timeout, waitFor } from "../../harness/wait";
import { type DemotionPlan, defaultTimeouts, type StepName } from "./plan";

interface Run extends Patience {
    readonly plan: DemotionPlan;
    readonly steadyMilliseconds: number;
    readonly removedMilliseconds: number;
}

type Step = StepOf<StepName, Run>;

interface Options {
    readonly plan: DemotionPlan;
    readonly log: (event: StepEvent) => void;
    /** How long no checkpoint may reappear. @default - longer than a running checkpointer takes to save one again */
    readonly steadyMilliseconds?: number;
    /** How long the member must not be ready. @default - longer than an election, or a restart of its container */
    readonly removedMilliseconds?: number;
}

/**
 * Removes what made this machine a controller, or resumes a run that was killed. The cluster must not list its member
 * any more.
 */
export async function clean(options: Options): Promise<void> {
    const { plan, log, steadyMilliseconds = 10_000, removedMilliseconds = 20_000 } = options;
    await runSteps<StepName, Run>(steps, { plan, steadyMilliseconds, removedMilliseconds }, defaultTimeouts, log);
}

/**
 * A label that someone set by hand, or that is from a restored snapshot, must not cost a member of the cluster. One that was
 * removed is not ready, and stays so.
 */
const stop: Step = {
    name: "stop-member",
    run: async (run) => {
        const { directories, healthUrl: url } = run.plan;
        const staticPod = join(directories.staticPods, staticPodFile);
        let since: number | undefined;
        await waitFor(run, "the cluster to remove this machine's member", async () => {
            if ((await probe(`${url}/readyz`)) === undefined) {
                since = undefined;
                return "it is ready";
            }
            since ??= performance.now();
            // A killed run has removed the static pod, after this wait.
            const isBrief = existsSync(staticPod) && performance.now() - since < run.removedMilliseconds;
            return isBrief ? "it has not been ready only for a moment" : undefined;
        });
        const message = existsSync(staticPod) ? "stopped" : "not running";
        // A killed run may have removed the static pod a moment ago.
        await stopMember(run, "the removed member to stop", { staticPod, url, mayStart: true });
        return message;
    },
};

/** A checkpointer that is ending may save its own pod again. */
const removeCheckpoints: Step = {
    name: "remove-checkpoints",
    run: async ({ plan, deadline, steadyMilliseconds }) => {
        const removed = new Set<string>();
        for (let since = performance.now(); performance.now() - since < steadyMilliseconds; ) {
            const found = [...removeCopies(plan.directories.staticPods), ...empty(plan.directories.checkpoints)];
            if (found.length > 0) since = performance.now();
            for (const name of found) removed.add(name);
            if (performance.now() > deadline) throw new Timeout(`${found.join(", ")} reappeared again and again`);
            await sleep(Math.min(200, steadyMilliseconds));
        }
        return removed.size === 0 ? "none found" : `removed ${[...removed].join(", ")}`;
    },
};

/** That of the checkpointer first: it would install the others again. */
function removeCopies(staticPods: string): string[] {
    const own = copyFileName(checkpointerParent);
    const sorted = copiesIn(staticPods).sort((one, other) => Number(other === own) - Number(one === own));
    return sorted.filter((name) => removeDurably(join(staticPods, name)));
}

const removeData: Step = {
    name: "remove-data",
    run: async ({ plan: { directories } }) => {
        if (!existsSync(directories.data)) return "none found";
        rmSync(directories.data, { recursive: true, force: true });
        syncDirectory(dirname(directories.data));
        return `removed ${directories.data}`;
    },
};

const removeCertificates: Step = {
    name: "remove-certificates",
    run: async ({ plan: { directories } }) => {
        // The originals first: their copies would be made again.
        const { pki, kept } = directories;
        const removed = [...empty(pki), ...(kept === undefined ? [] : empty(join(kept, pki)))];
        return removed.length === 0 ? "none found" : `removed ${removed.join(", ")}`;
    },
};

/** Removes what is in a directory, which may be mounted, and returns the names. */
function empty(directory: string): string[] {
    const names = existsSync(directory) ? readdirSync(directory) : [];
    for (const name of names) rmSync(join(directory, name), { recursive: true, force: true });
    if (names.length > 0) syncDirectory(directory);
    return names;
}

/** Each step finds out by itself what is left to do. */
const steps: readonly Step[] = [stop, removeCheckpoints, removeData, removeCertificates];
