import { writeFileSync } from "node:fs";
import { endOnSignals } from "../../harness/main";
import { readPlan } from "../../harness/plan";
import { awaitTurn } from "./await-turn";
import { planSchema } from "./plan";

async function main(path: string, flagsFile: string): Promise<void> {
    const flags = await awaitTurn(readPlan(path, planSchema), (message) => console.log(message));
    writeFileSync(flagsFile, flags.map((flag) => `${flag}\n`).join(""));
}

endOnSignals("nothing was started");

main(process.argv[2] ?? "", process.argv[3] ?? "").then(
    () => process.exit(0),
    (error: Error) => {
        console.log(error.message);
        process.exit(1);
    },
);
