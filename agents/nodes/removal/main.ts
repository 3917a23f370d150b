import { InvalidPlan } from "../../harness/plan";
import { endOnSignals } from "../../harness/signals";
import { printStep, StepFailed } from "../../harness/steps";
import { readPlan } from "./plan";
import { removeNodes } from "./remove-nodes";

endOnSignals("the next start resumes here");

async function main(path: string): Promise<void> {
    const plan = readPlan(path);
    await removeNodes(plan, printStep);
    console.log(`${plan.cluster} has only desired nodes`);
}

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
