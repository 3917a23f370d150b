import { dirname } from "node:path";
import { takeLock } from "../../harness/lock";
import { InvalidPlan } from "../../harness/plan";
import { endOnSignals } from "../../harness/signals";
import { printStep, StepFailed } from "../../harness/steps";
import { memberLock } from "../member/runner";
import { join } from "./join";
import { readPlan } from "./plan";

async function main(path: string): Promise<void> {
    const plan = readPlan(path);
    // A Job that is made anew may start before the last pod of the old one has ended.
    const lock = () =>
        takeLock(memberLock(plan.directories.data), () =>
            console.log("another agent is at work here; waiting for its end"),
        );
    await join({ plan, source: dirname(path), lock, log: printStep });
    console.log(`${plan.name} is a voting member of etcd`);
}

endOnSignals("the next start goes on from here");

main(process.argv[2] ?? "").then(
    () => process.exit(0),
    (error: Error) => {
        // The log has told of a failed step.
        if (!(error instanceof StepFailed)) {
            console.error(error instanceof InvalidPlan ? error.message : error);
        }
        process.exit(1);
    },
);
