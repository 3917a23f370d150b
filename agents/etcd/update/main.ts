import { takeLock } from "../../harness/lock";
import { endOnSignals } from "../../harness/main";
import { InvalidPlan, readPlan } from "../../harness/plan";
import { printStep } from "../../harness/steps";
import { memberLock } from "../member/runner";
import { gaveUpCode, planSchema } from "./plan";
import { GaveUp, update } from "./update";

async function main(path: string): Promise<void> {
    const plan = readPlan(path, planSchema);
    await takeLock(memberLock(plan.directories.data), () =>
        console.log("another agent is running here; waiting for it to end"),
    );
    await update(plan, printStep);
}

endOnSignals("the next start resumes here");

main(process.argv[2] ?? "").then(
    () => process.exit(0),
    (error: Error) => {
        const isFinal = error instanceof GaveUp || error instanceof InvalidPlan;
        // On stdout, like its steps: with two streams the runtime may log the later line first, and `up` reports the
        // last one.
        console.log(isFinal ? error.message : error);
        process.exit(isFinal ? gaveUpCode : 1);
    },
);
