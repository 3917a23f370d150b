import { logWait, takeLock } from "../../harness/lock";
import { runAgent } from "../../harness/main";
import { InvalidPlan, readPlan } from "../../harness/plan";
import { printStep } from "../../harness/steps";
import { memberLock } from "../member/runner";
import { gaveUpCode, planSchema } from "./plan";
import { GaveUp, update } from "./update";

async function main(path = ""): Promise<void> {
    const plan = readPlan(path, planSchema);
    await takeLock(memberLock(plan.directories.data), logWait());
    await update(plan, printStep);
}

const final = [GaveUp, InvalidPlan];

runAgent(main, {
    onSignal: "the next start resumes here",
    explained: final,
    // With the log of its steps, of which `up` reports the last line.
    log: console.log,
    exitCode: (error) => (final.some((each) => error instanceof each) ? gaveUpCode : 1),
});
