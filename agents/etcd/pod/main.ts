import { writeFileSync } from "node:fs";
import { endOnSignals } from "../../harness/main";
import { awaitTurn } from "./await-turn";
import { readPlan } from "./plan";

async function main(path: string, flagsFile: string): Promise<void> {
    const flags = await awaitTurn(readPlan(path), (message) => console.log(message));
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
