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
    // A recreated Job may start before the last pod of the old one has ended.
    const lock = () =>
        takeLock(memberLock(plan.directories.data), () =>
            console.log("another agent is running here; waiting for it to end"),
        );
    await join({ plan, source: dirname(path), lock, log: printStep });
    console.log(`${plan.name} is a voting member of etcd`);
}

endOnSignals("the next start resumes here");

main(process.argv[2] ?? "").then(
    () => process.exit(0),
    (error: Error) => {
        // Failed steps are already in the log.
        if (!(error instanceof StepFailed)) {
            console.error(error instanceof InvalidPlan ? error.message : error);
        }
        process.exit(1);
    },
);
