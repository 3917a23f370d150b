import { writeFileSync } from "node:fs";
import { runAgent } from "../../harness/main";
import { readPlan } from "../../harness/plan";
import { awaitTurn } from "./await-turn";
import { planSchema } from "./plan";

async function main(path = "", flagsFile = ""): Promise<void> {
    const flags = await awaitTurn(readPlan(path, planSchema), (message) => console.log(message));
    writeFileSync(flagsFile, flags.map((flag) => `${flag}\n`).join(""));
}

runAgent(main, { onSignal: "nothing was started", explained: [Error], log: console.log });
