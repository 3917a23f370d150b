import { parseCommandLine } from "../parse-command-line";
import { clusterName } from "../start-options";
import { invalidOption } from "../usage-error";

/** Of the cluster that a drill makes for itself. */
export const throwAway = "restore-drill";

export interface DrillOptions {
    /** @default a cluster that is made for the drill and destroyed after it */
    readonly name?: string;
    /** How many ConfigMaps and Secrets are made, of each. */
    readonly objects: number;
    readonly isYes: boolean;
    readonly isHelp: boolean;
}

export const DRILL_HELP = `Proves that a cluster can be restored: fills it with objects, takes a snapshot, destroys all
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
