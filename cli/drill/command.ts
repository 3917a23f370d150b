import { createInterface } from "node:readline/promises";
import { invalidOption, parseCommandLine, UsageError } from "../../command-line/parse";
import { destroy } from "../../local/destroy";
import { clusterName } from "../../local/options";
import { main as start } from "../../local/start";
import { hasState, localClusters } from "../../local/state";
import { drill, renderReport } from "./drill";

/** `tradewind drill`: 0 when every object was restored as it was. */
export async function run(args: readonly string[]): Promise<number> {
    const { name, objects, isYes, isHelp } = parseDrillOptions(args);
    if (isHelp) {
        process.stdout.write(help);
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

/** Of the cluster that a drill makes for itself. */
const throwAway = "restore-drill";

interface DrillOptions {
    /** @default a cluster that is made for the drill and destroyed after it */
    readonly name?: string;
    /** How many ConfigMaps and Secrets are made, of each. */
    readonly objects: number;
    readonly isYes: boolean;
    readonly isHelp: boolean;
}

export const help = `Proves that a cluster can be restored: fills it with objects, takes a snapshot, destroys all
controllers with their disks, makes new ones, restores, and compares every object.

Usage: tradewind drill [options]

  --name NAME     a cluster of this computer, whose controllers are destroyed: its API is away for minutes.
                  Default: a cluster of one controller and one worker, made for it and destroyed after it
  --yes, -y       do not ask
  --objects N     ConfigMaps and Secrets to make, of each (default: 50)
  --help, -h

The snapshot is kept in the cluster's state until the drill has succeeded. If the drill is interrupted when the
controllers are gone:

  tradewind recover --from snapshot --snapshot FILE --name NAME

Exit codes:
  0    every object is as it was
  1    there are differences, which are listed, or something failed
  2    the command line is wrong
`;

/** Parses and checks the command line. Throws `--<option> must be <legal>, got <value>`. */
export function parseDrillOptions(args: readonly string[]): DrillOptions {
    const { name, objects = "50", yes = false, help = false } = parse(args);
    if (!/^\d+$/.test(objects) || Number(objects) < 1 || Number(objects) > 10_000) {
        throw invalidOption("--objects", "a whole number from 1 to 10000", objects);
    }
    return {
        name: name === undefined ? undefined : clusterName(name),
        objects: Number(objects),
        isYes: yes,
        isHelp: help,
    };
}

function parse(args: readonly string[]) {
    const string = { type: "string" } as const;
    return parseCommandLine("tradewind drill --help", {
        args: [...args],
        options: {
            name: string,
            objects: string,
            yes: { type: "boolean", short: "y" },
            help: { type: "boolean", short: "h" },
        },
    }).values;
}
