import { runAgent } from "../../harness/main";
import { readPlan } from "../../harness/plan";
import { printStep, StepFailed } from "../../harness/steps";
import { planSchema } from "./plan";
import { removeNodes } from "./remove-nodes";

async function main(path = ""): Promise<string> {
    const plan = readPlan(path, planSchema);
    await removeNodes(plan, printStep);
    return `${plan.cluster} has only desired nodes`;
}

runAgent(main, { onSignal: "the next start resumes here", logged: [StepFailed] });
