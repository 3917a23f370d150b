import { takeLock } from "../../common/lock";
import { memberLock } from "../../common/member-runner";
import { readRestorePlan } from "../restore/read-plan";
import { restore as restoreMember, type StepEvent } from "../restore/restore";

/** Makes this machine's member anew from a snapshot. */
export async function restore(path: string): Promise<void> {
    const plan = readRestorePlan(path);
    await takeLock(memberLock(plan.directories.data), () =>
        console.log("another agent is at work here; waiting for its end"),
    );
    await restoreMember(plan, print);
    console.log(`${plan.member.name} serves what the snapshot has`);
}

function print({ step, event, seconds, message }: StepEvent): void {
    if (event !== "start") {
        console.log(`${step}: ${event === "failed" ? "failed: " : ""}${message} (${seconds.toFixed(1)}s)`);
    }
}
