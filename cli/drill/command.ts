import { createInterface } from "node:readline/promises";
import { invalidOption, parseCommandLine, UsageError } from "../../command-line/parse";
import { destroy } from "../../local/destroy";
import { clusterName } from "../../local/options";
import { main as start } from "../../local/start";
import { hasState, localClusters } from "../../local/state";
import { drill, renderReport } from "./drill";

/** `tradewind drill`: 0 if every object was restored unchanged. */
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
        throw invalidOption("--name", `a local cluster (${localClusters().join(", ") || "none"})`, name);
    }
    if (!isYes && !(await confirm(name))) {
        console.log("cancelled");
        return 1;
    }
    return drillOn(name, objects);
}

async function onThrowAway(objects: number): Promise<number> {
    if (hasState(throwAway)) {
        const command = `npm start -- --name ${throwAway} --destroy`;
        throw new UsageError(`an interrupted drill left the cluster ${throwAway} behind; remove it with ${command}`);
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

/** Asks for confirmation before destroying controllers. */
async function confirm(name: string): Promise<boolean> {
    if (!process.stdin.isTTY) {
        throw new UsageError("--yes is required without a terminal");
    }
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    try {
        const question = `Destroy all controllers of ${name} and restore them from a snapshot? [y/N] `;
        return /^y(es)?$/i.test((await terminal.question(question)).trim());
    } finally {
        terminal.close();
    }
}

/** Name of the temporary cluster. */
const throwAway = "restore-drill";

interface DrillOptions {
    /** @default a temporary cluster */
    readonly name?: string;
    /** Number of ConfigMaps and of Secrets to create. */
    readonly objects: number;
    readonly isYes: boolean;
    readonly isHelp: boolean;
}

export const help = `Tests disaster recovery: fills a cluster with objects, takes a snapshot, destroys all controllers with their
disks, creates new ones, restores the snapshot, and compares every object.

Usage: tradewind drill [options]

  --name NAME     a local cluster. Its controllers are destroyed and its API is down for minutes.
                  Default: a temporary cluster with one controller and one worker
  --yes, -y       skip the confirmation
  --objects N     number of ConfigMaps and of Secrets to create (default: 50)
  --help, -h

The snapshot is kept in the cluster's state until the drill succeeds. If the drill is interrupted after the
controllers were destroyed, restore them with

  tradewind recover --from snapshot --snapshot FILE --name NAME

Exit codes:
  0    every object was restored unchanged
  1    objects differ (they are listed), or the drill failed
  2    invalid command line
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
