import { EtcdClient } from "../../../clients/etcd/client";
import { type Lock, takeLock } from "../../harness/lock";
import { runSteps, type StepEvent, StepFailed } from "../../harness/steps";
import { waitFor } from "../../harness/wait";
import { memberCredentials } from "../member/files";
import { memberProcess } from "../member/process";
import { handBackLock, isStanding } from "../member/runner";
import { Ending } from "./ending";
import { type Journal, JournalFile } from "./journal";
import { commandOf, type EtcdStaticPod, isSame, memberManifest, readManifest } from "./manifest";
import { defaultTimeouts, type EtcdUpdatePlan } from "./plan";
import type { Step } from "./run";
import { servesAs } from "./serving";
import { checkFlags, revert, switchManifest, untilServing, waitForOthers } from "./steps";

/** It was not done, and another start would not do it either. */
export class GaveUp extends Error {
    override readonly name = "GaveUp";
}

/**
 * Has this machine's member run as the plan has it, or as before; goes on where a killed run stopped.
 *
 * @throws GaveUp with the reason when it is as before
 */
export async function update(plan: EtcdUpdatePlan, log: (event: StepEvent) => void): Promise<void> {
    const client = new EtcdClient(plan.endpoints, memberCredentials(plan.directories.pki));
    const journal = new JournalFile(plan.directories.state);
    const current = readManifest(plan);
    const course = courseOf(plan, journal.read(), current);
    if (course.kind === "failed") {
        throw new GaveUp(course.reason);
    }
    const { previous } = course;
    const wanted = course.kind === "update" ? course.wanted : previous;
    const run = (...steps: Step[]) =>
        runSteps(
            steps,
            { plan, client, journal, ending: new Ending(), previous, wanted },
            (step) => plan.timeouts?.[step] ?? defaultTimeouts[step],
            log,
        );
    if (course.kind === "revert") {
        return goBack(run, course.reason);
    }
    /** The member has what it had, or what an update before this one gave it: to go back would only stop it. */
    const isStanding = async () => {
        const onDisk = readManifest(plan);
        return isSame(onDisk, previous) || (!isSame(onDisk, wanted) && (await servesAs({ plan, client }, onDisk)));
    };
    /** What was begun must not be left half done: a manifest of which nobody knows whether the member serves with it. */
    const orBack = async (steps: Promise<void>) => {
        try {
            await steps;
        } catch (error) {
            if (!(error instanceof StepFailed)) {
                throw error;
            }
            return (await isStanding()) ? giveUp(error.message) : goBack(run, error.message);
        }
    };
    const isThere = isSame(current, wanted) && (await servesAs({ plan, client }, wanted, plan.version));
    if (!isThere) {
        await orBack(run(checkFlags, waitForOthers, handBack));
    }
    await orBack(isThere ? run(untilServing) : run(switchManifest, untilServing));
}

async function goBack(run: (...steps: Step[]) => Promise<void>, reason: string): Promise<never> {
    try {
        await run(handBack, revert(reason));
    } catch (error) {
        throw error instanceof StepFailed
            ? new GaveUp(`${reason}; nor does it serve as before: ${error.message}`)
            : error;
    }
    return giveUp(`${reason}; it serves as before`);
}

function giveUp(reason: string): never {
    throw new GaveUp(reason);
}

/** What this run is about. */
type Course =
    | { readonly kind: "update"; readonly previous: EtcdStaticPod; readonly wanted: EtcdStaticPod }
    /** An earlier run found that the member does not serve, and was killed before it was back. */
    | { readonly kind: "revert"; readonly previous: EtcdStaticPod; readonly reason: string }
    /** It was tried, and is not tried again. */
    | { readonly kind: "failed"; readonly reason: string };

/**
 * What is left to do. An update of which nobody knows whether its member served is no ground to stand on: what is gone
 * back to is what was there before it.
 */
export function courseOf(
    { id, staticPod }: Pick<EtcdUpdatePlan, "id" | "staticPod">,
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
    return { kind: "update", previous, wanted: memberManifest(staticPod as EtcdStaticPod, previous) };
}

/** Held until this process ends: a step may be taken twice. */
const held = new Map<string, Promise<Lock>>();

/**
 * The member is run by the machine's static pod, and stays so for as long as this agent is at work: what is on trial then is
 * that pod alone. A pod of the API gives way while the lock is held: docs/levels.md.
 */
const handBack: Step = {
    name: "hand-back",
    run: async (run) => {
        const { plan } = run;
        if (!isStanding(commandOf(readManifest(plan)))) {
            return "no pod of the API runs it";
        }
        const { data } = plan.directories;
        const onWait = () => run.report("another agent is at work here; waiting for its end");
        if (!held.has(data)) held.set(data, takeLock(handBackLock(data), onWait, { former: true }));
        await held.get(data);
        await waitFor(run, "the machine's static pod to run the member", async () =>
            memberProcess(data)?.runner === "pod" ? "a pod of the API runs it" : undefined,
        );
        return "the machine's static pod runs it";
    },
};
