import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { logWait, takeLock } from "../../harness/lock";
import { runAgent } from "../../harness/main";
import { InvalidPlan, readPlan } from "../../harness/plan";
import { StepFailed } from "../../harness/steps";
import { bootstrap } from "./bootstrap";
import { planSchema } from "./plan";

const defaultPlan = "/opt/tradewind/bootstrap/bootstrap.json";

async function main(path = defaultPlan): Promise<void> {
    const plan = readPlan(path, planSchema);
    const { state } = plan.directories;
    mkdirSync(state, { recursive: true, mode: 0o755 });
    await takeLock(join(state, "lock"), logWait("bootstrap agent"));
    await bootstrap(plan);
}

runAgent(main, { onSignal: "the next start resumes here", explained: [StepFailed, InvalidPlan] });
