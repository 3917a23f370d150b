import type { ClusterChoice } from "../cluster-access";
import { clusterFlags, parseClusterOptions } from "../cluster-options";
import { parseCommandLine } from "../parse-command-line";
import { SSH_HELP, type SshOptions } from "../ssh/options";
import { invalidOption } from "../usage-error";

export interface SnapshotOptions extends ClusterChoice, SshOptions {
    /** A file of this computer that the snapshot is copied to. */
    readonly to?: string;
    /** The controller that takes it. @default the first one of a cluster of this computer, else any */
    readonly node?: string;
    readonly isList: boolean;
    readonly isHelp: boolean;
}

export const SNAPSHOT_HELP = `Takes a snapshot of etcd now, or lists those that there are.

Usage: tradewind snapshot [options]

  --to FILE              copy it to this computer, for its owner alone: every Secret is in it
                         (with --name or --stack)
  --list                 list the snapshots in the controllers' directories, and take none
                         (with --name or --stack)
  --node NAME            the controller that takes it and keeps it in its directory
  --name NAME            a cluster of this computer
  --kubeconfig FILE      any cluster, as an administrator (default: $KUBECONFIG, else the only cluster here)
  --context NAME         a context of the kubeconfig (default: its current one)
${SSH_HELP}
  --help, -h

To restore one: tradewind recover --from snapshot
`;

/** Parses and checks the command line. Throws `--<option> must be <legal>, got <value>`. */
export function parseSnapshotOptions(args: readonly string[]): SnapshotOptions {
    const values = parse(args);
    const { to, node, list = false, help = false } = values;
    if (to === "") {
        throw invalidOption("--to", "a file", to);
    }
    const other = list && (to !== undefined ? "--to" : node !== undefined ? "--node" : undefined);
    if (other) {
        throw invalidOption("--list", "given without --to and --node", other);
    }
    return {
        ...parseClusterOptions(values),
        to,
        node,
        isList: list,
        isHelp: help,
    };
}

function parse(args: readonly string[]) {
    const string = { type: "string" } as const;
    const boolean = { type: "boolean" } as const;
    return parseCommandLine("tradewind snapshot --help", {
        args: [...args],
        options: {
            ...clusterFlags,
            to: string,
            node: string,
            list: boolean,
            help: { type: "boolean", short: "h" },
        },
    }).values;
}
