import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { logWait, takeLock } from "../../harness/lock";
import { runAgent } from "../../harness/main";
import { readPlan } from "../../harness/plan";
import { printStep, StepFailed } from "../../harness/steps";
import { memberLock } from "../member/runner";
import { join } from "./join";
import { planSchema } from "./plan";

async function main(path = ""): Promise<string> {
    const plan = readPlan(path, planSchema);
    if (plan.demotedFile !== undefined && existsSync(plan.demotedFile)) {
        return `${plan.name} was demoted: it does not join etcd`;
    }
    // A recreated Job may start before the last pod of the old one has ended.
    const lock = () => takeLock(memberLock(plan.directories.data), logWait());
    await join({ plan, source: dirname(path), lock, log: printStep });
    return `${plan.name} is a voting member of etcd`;
}

runAgent(main, { onSignal: "the next start resumes here", logged: [StepFailed] });
