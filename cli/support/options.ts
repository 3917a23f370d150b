import { isAbsolute, join } from "node:path";
import type { ClusterChoice } from "../cluster-access";
import { clusterFlags, parseClusterOptions } from "../cluster-options";
import { parseCommandLine } from "../parse-command-line";
import { SSH_HELP, type SshOptions } from "../ssh/options";

export interface SupportOptions extends ClusterChoice, SshOptions {
    /** @default - a name of the cluster and the time, in the folder where the command runs */
    readonly output?: string;
    readonly isHelp: boolean;
}

export const SUPPORT_HELP = `Puts what helps to find out what is wrong with a cluster into one file, to be read or sent to someone who knows.

Usage: tradewind support-bundle [options]

  --name NAME        a cluster of this computer
  --kubeconfig FILE  any cluster, as an administrator (default: $KUBECONFIG,
                     else the cluster of this computer if there is just one)
  --context NAME     a context of the kubeconfig (default: its current one)
${SSH_HELP}
  --output FILE      where it goes (default: <cluster>-support-<time>.tar.gz)
  --help, -h

In it: what tradewind status says, nodes, events, the objects and logs of kube-system, and from each machine that can
be reached the logs of its units, its static pods, and which checkpoints it has; versions of Tradewind, its commit, Pulumi,
Docker and Node. It works with the API down. Left out:
Secrets, ConfigMaps, and pods of other namespaces; keys, tokens and passwords that turn up in what is left are
blotted out. It asks, and changes nothing.

Exit codes:
  0  written; what could not be had is in missing.txt in it
  1  not written
  2  the command line is wrong
`;

/** Parses and checks the command line. Throws `--<option> must be <legal>, got <value>`. */
export function parseSupportOptions(args: readonly string[]): SupportOptions {
    const { values } = parseCommandLine("tradewind support-bundle --help", {
        args: [...args],
        options: { ...clusterFlags, output: { type: "string" }, help: { type: "boolean", short: "h" } },
    });
    const { output, help = false } = values;
    return {
        ...parseClusterOptions(values),
        output,
        isHelp: help,
    };
}

/** Where the bundle goes. @param directory - where the command was called */
export function bundlePath(directory: string, cluster: string, now: Date, output?: string): string {
    const time = now.toISOString().replace(/[-:]|\.\d+/g, "");
    const file = output ?? `${cluster}-support-${time}.tar.gz`;
    return isAbsolute(file) ? file : join(directory, file);
}
