import { EtcdClient } from "../common/etcd-client";
import { memberCredentials } from "../common/member-credentials";
import { runSteps, type StepEvent, StepFailed } from "../common/steps";
import { courseOf } from "./course";
import { readManifest } from "./disk";
import { Ending } from "./ending";
import { handBack } from "./hand-back";
import { JournalFile } from "./journal";
import { isSame } from "./manifest";
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
