import { EtcdClient } from "../../../clients/etcd/client";
import { type Lock, logWait, takeLock } from "../../harness/lock";
import { runSteps, type StepEvent, StepFailed } from "../../harness/steps";
import { waitFor } from "../../harness/wait";
import { Ending } from "../member/ending";
import { memberCredentials } from "../member/files";
import { memberProcess } from "../member/process";
import { handBackLock, isStandbyCommand } from "../member/runner";
import { commandOf, type EtcdStaticPod, isSame, memberManifest, readManifest, rivals } from "./manifest";
import { defaultTimeouts, type EtcdUpdatePlan } from "./plan";
import type { Step } from "./run";
import { type Journal, JournalFile } from "./run";
import { servesAs } from "./serving";
import { checkFlags, revert, switchManifest, untilServing, waitForOthers } from "./steps";
import { storageVersion } from "./storage-version";

/** The update failed, and another attempt would fail too. */
export class GaveUp extends Error {
    override readonly name = "GaveUp";
}

/**
 * Brings this machine's member to the plan's configuration, or back to the previous one. Resumes a run that was killed.
 *
 * @throws GaveUp with the reason if the member runs as before
 */
export async function update(plan: EtcdUpdatePlan, log: (event: StepEvent) => void): Promise<void> {
    const client = new EtcdClient(plan.endpoints, memberCredentials(plan.directories.pki));
    const journal = new JournalFile(plan.directories.state);
    const current = readManifest(plan);
    const course = courseOf(plan, journal.read(), current);
    if (course.kind === "failed") {
        throw new GaveUp(course.reason);
    }
    const others = course.kind === "update" ? rivals(plan) : [];
    if (others.length > 0) {
        giveUp(`${others.join(", ")} defines the pod etcd too, so the kubelet may run it instead: move it elsewhere`);
    }
    const { previous } = course;
    const desired = course.kind === "update" ? course.desired : previous;
    const run = (...steps: Step[]) =>
        runSteps(steps, { plan, client, journal, ending: new Ending(), previous, desired }, defaultTimeouts, log);
    if (course.kind === "revert") {
        return goBack(run, course.reason);
    }
    /** The member's configuration is unchanged or came from an earlier update: reverting would only restart it. */
    const isStable = async () => {
        const onDisk = readManifest(plan);
        return isSame(onDisk, previous) || (!isSame(onDisk, desired) && (await servesAs({ plan, client }, onDisk)));
    };
    /** An update must not be left half done, with a manifest that may not work. */
    const orBack = async (steps: Promise<void>) => {
        try {
            await steps;
        } catch (error) {
            if (!(error instanceof StepFailed)) {
                throw error;
            }
            return (await isStable()) ? giveUp(error.message) : goBack(run, error.message);
        }
    };
    const isThere = isSame(current, desired) && (await servesAs({ plan, client }, desired, plan.version));
    if (!isThere) {
        await orBack(run(checkFlags, waitForOthers, storageVersion, handBack));
    }
    await orBack(isThere ? run(storageVersion, untilServing) : run(switchManifest, untilServing));
}

async function goBack(run: (...steps: Step[]) => Promise<void>, reason: string): Promise<never> {
    try {
        await run(handBack, revert(reason));
    } catch (error) {
        throw error instanceof StepFailed
            ? new GaveUp(`${reason}; nor does it serve with its previous configuration: ${error.message}`)
            : error;
    }
    return giveUp(`${reason}; it serves as before`);
}

function giveUp(reason: string): never {
    throw new GaveUp(reason);
}

/** What this run has to do. */
type Course =
    | { readonly kind: "update"; readonly previous: EtcdStaticPod; readonly desired: EtcdStaticPod }
    /** An earlier run found that the member does not serve, and was killed before it had reverted. */
    | { readonly kind: "revert"; readonly previous: EtcdStaticPod; readonly reason: string }
    /** It was tried, and is not tried again. */
    | { readonly kind: "failed"; readonly reason: string };

/** What is left to do. An unconfirmed update is not a safe state: the run reverts to the configuration before it. */
export function courseOf(
    { id, staticPod, digest }: Pick<EtcdUpdatePlan, "id" | "staticPod" | "digest">,
    journal: Journal,
    current: EtcdStaticPod,
): Course {
    if (journal.phase === "reverted" && journal.id === id) {
        return { kind: "failed", reason: journal.reason };
    }
    if (journal.phase === "reverting" && journal.id === id) {
        return { kind: "revert", previous: journal.previous, reason: journal.reason };
    }
    const isUnproven = journal.phase === "switched" || journal.phase === "reverting";
    const previous = isUnproven ? journal.previous : current;
    return { kind: "update", previous, desired: memberManifest(staticPod as EtcdStaticPod, previous, digest) };
}

/** Held until this process ends: a step may take it twice. */
const held = new Map<string, Promise<Lock>>();

/**
 * Makes the machine's static pod run the member for as long as this agent works on it, so that only that pod is on
 * trial. An API-managed pod gives way while the lock is held: docs/levels.md.
 */
const handBack: Step = {
    name: "hand-back",
    run: async (run) => {
        const { plan } = run;
        if (!isStandbyCommand(commandOf(readManifest(plan)))) {
            return "no API-managed pod runs it";
        }
        const { data } = plan.directories;
        if (!held.has(data)) held.set(data, takeLock(handBackLock(data), logWait("agent", run.report)));
        await held.get(data);
        await waitFor(run, "the machine's static pod to run the member", async () =>
            memberProcess(data)?.runner === "pod" ? "an API-managed pod runs it" : undefined,
        );
        return "the machine's static pod runs it";
    },
};
