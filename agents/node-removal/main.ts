import { InvalidPlan } from "../common/read-plan";
import { endOnSignals } from "../common/signals";
import { printStep, StepFailed } from "../common/steps";
import { readPlan } from "./read-plan";
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
