import { runAgent } from "../../harness/main";
import { printStep, StepFailed } from "../../harness/steps";
import { readPlan } from "./plan";
import { removeNodes } from "./remove-nodes";

async function main(path = ""): Promise<string> {
    const plan = readPlan(path);
    await removeNodes(plan, printStep);
    return `${plan.cluster} has only desired nodes`;
}

runAgent(main, { onSignal: "the next start resumes here", logged: [StepFailed] });
