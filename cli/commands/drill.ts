import { createInterface } from "node:readline/promises";
import { destroy } from "../destroy";
import { drill } from "../drill/drill";
import { DRILL_HELP, parseDrillOptions, throwAway } from "../drill/options";
import { renderReport } from "../drill/report";
import { main as start } from "../start";
import { hasState, localClusters } from "../state";
import { invalidOption, UsageError } from "../usage-error";

export { DRILL_HELP as help } from "../drill/options";

/** `tradewind drill`: 0 when every object was restored as it was. */
export async function run(args: readonly string[]): Promise<number> {
    const { name, objects, isYes, isHelp } = parseDrillOptions(args);
    if (isHelp) {
        process.stdout.write(DRILL_HELP);
        return 0;
    }
    if (name === undefined) {
        return onThrowAway(objects);
    }
    if (!localClusters().includes(name)) {
        throw invalidOption(
            "--name",
            `one of this computer's clusters (${localClusters().join(", ") || "none"})`,
            name,
        );
    }
    if (!isYes && !(await confirm(name))) {
        console.log("nothing was done");
        return 1;
    }
    return drillOn(name, objects);
}

async function onThrowAway(objects: number): Promise<number> {
    if (hasState(throwAway)) {
        const command = `npm start -- --name ${throwAway} --destroy`;
        throw new UsageError(`an interrupted drill has left the cluster ${throwAway}: remove it by ${command}`);
    }
    try {
        await start(["--name", throwAway, "--controllers", "1", "--workers", "1"]);
        return await drillOn(throwAway, objects);
    } finally {
        await destroy({ name: throwAway, cluster: {}, isDestroy: true, isYes: true, isHelp: false });
    }
}

async function drillOn(name: string, objects: number): Promise<number> {
    const result = await drill(name, objects);
    console.log(`\n${renderReport(result)}`);
    return result.comparison.differences.length === 0 ? 0 : 1;
}

/** Nobody destroys controllers without having said so. */
async function confirm(name: string): Promise<boolean> {
    if (!process.stdin.isTTY) {
        throw new UsageError("--yes must be given where there is no terminal to ask at");
    }
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    try {
        const question = `Destroy all controllers of ${name} and restore them from a snapshot? [y/N] `;
        return /^y(es)?$/i.test((await terminal.question(question)).trim());
    } finally {
        terminal.close();
    }
}
