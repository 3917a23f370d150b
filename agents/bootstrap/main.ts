import { mkdirSync } from "node:fs";
import { bootstrap, StepFailed } from "./bootstrap";
import { takeLock } from "./lock";
import { InvalidPlan, readPlan } from "./read-plan";

const defaultPlan = "/opt/tradewind/bootstrap/bootstrap.json";

async function main(path = defaultPlan): Promise<void> {
    const plan = readPlan(path);
    const { state } = plan.directories;
    mkdirSync(state, { recursive: true, mode: 0o755 });
    await takeLock(state, () => console.log("another bootstrap agent is at work here; waiting for its end"));
    await bootstrap(plan);
}

// The first process of a container ignores signals that it does not ask for.
for (const [signal, code] of [["SIGTERM", 143] as const, ["SIGINT", 130] as const]) {
    process.on(signal, () => {
        console.log(`ended by ${signal}; the next start goes on from here`);
        process.exit(code);
    });
}

main(process.argv[2]).then(
    () => process.exit(0),
    (error: Error) => {
        const isExplained = error instanceof StepFailed || error instanceof InvalidPlan;
        console.error(isExplained ? error.message : error);
        process.exit(1);
    },
);
