import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { takeLock } from "../../harness/lock";
import { InvalidPlan } from "../../harness/plan";
import { endOnSignals } from "../../harness/signals";
import { bootstrap, StepFailed } from "./bootstrap";
import { readPlan } from "./plan";

const defaultPlan = "/opt/tradewind/bootstrap/bootstrap.json";

async function main(path = defaultPlan): Promise<void> {
    const plan = readPlan(path);
    const { state } = plan.directories;
    mkdirSync(state, { recursive: true, mode: 0o755 });
    await takeLock(join(state, "lock"), () =>
        console.log("another bootstrap agent is running here; waiting for it to end"),
    );
    await bootstrap(plan);
}

endOnSignals("the next start resumes here");

main(process.argv[2]).then(
    () => process.exit(0),
    (error: Error) => {
        const isExplained = error instanceof StepFailed || error instanceof InvalidPlan;
        console.error(isExplained ? error.message : error);
        process.exit(1);
    },
);
