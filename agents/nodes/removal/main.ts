import { InvalidPlan } from "../../harness/plan";
import { endOnSignals } from "../../harness/signals";
import { printStep, StepFailed } from "../../harness/steps";
import { readPlan } from "./plan";
import { removeNodes } from "./remove-nodes";

endOnSignals("the next start goes on from here");

async function main(path: string): Promise<void> {
    const plan = readPlan(path);
    await removeNodes(plan, printStep);
    console.log(`every node of ${plan.cluster} is one that the stack wants`);
}

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
