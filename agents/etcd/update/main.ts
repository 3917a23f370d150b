import { takeLock } from "../../harness/lock";
import { InvalidPlan } from "../../harness/plan";
import { endOnSignals } from "../../harness/signals";
import { printStep } from "../../harness/steps";
import { memberLock } from "../member/runner";
import { gaveUpCode } from "./plan";
import { readPlan } from "./read-plan";
import { GaveUp, update } from "./update";

async function main(path: string): Promise<void> {
    const plan = readPlan(path);
    await takeLock(memberLock(plan.directories.data), () =>
        console.log("another agent is at work here; waiting for its end"),
    );
    await update(plan, printStep);
}

endOnSignals("the next start goes on from here");

main(process.argv[2] ?? "").then(
    () => process.exit(0),
    (error: Error) => {
        const isFinal = error instanceof GaveUp || error instanceof InvalidPlan;
        // Where its steps are told: of two streams the runtime may log the later line first, and `up` tells the last one.
        console.log(isFinal ? error.message : error);
        process.exit(isFinal ? gaveUpCode : 1);
    },
);
