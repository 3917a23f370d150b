import { memberLock } from "../../etcd/member/runner";
import { logWait, takeLock } from "../../harness/lock";
import { runAgent } from "../../harness/main";
import { readPlan } from "../../harness/plan";
import { printStep, StepFailed } from "../../harness/steps";
import { clean } from "./clean";
import { planSchema } from "./plan";

async function main(path = ""): Promise<string> {
    const plan = readPlan(path, planSchema);
    await takeLock(memberLock(plan.directories.data), logWait());
    await clean({ plan, log: printStep });
    return "this machine has nothing of a controller any more";
}

runAgent(main, { onSignal: "the next start resumes here", logged: [StepFailed] });
