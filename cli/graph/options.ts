import type { ClusterChoice } from "../cluster-access";
import { clusterFlags, parseClusterOptions } from "../cluster-options";
import { parseCommandLine } from "../parse-command-line";
import { pictureFile } from "../picture/file";
import { SSH_HELP, type SshOptions } from "../ssh/options";

export interface GraphOptions extends ClusterChoice, SshOptions {
    /** Where the picture goes; `-` is standard output. @default - after the cluster, here */
    readonly output?: string;
    readonly isHelp: boolean;
}

export const GRAPH_HELP = `A picture of a cluster as SVG: its network, load balancer and nodes, and the control plane's pods with
what each runs from. It shows what can be learned, with the API down too.

Usage: tradewind graph [options]

  --name NAME            a cluster of this computer
  --kubeconfig FILE      any cluster, as an administrator (default: $KUBECONFIG,
                         else the cluster of this computer if there is just one)
  --context NAME         a context of the kubeconfig (default: its current one)
${SSH_HELP}
  --output, -o FILE.svg  where it goes; - is standard output (default: <cluster>-graph.svg)
  --help, -h

It asks, and changes nothing. What is shown, tradewind status tells in words.
`;

/** Parses and checks the command line. Throws `--<option> must be <legal>, got <value>`. */
export function parseGraphOptions(args: readonly string[]): GraphOptions {
    const { values } = parseCommandLine("tradewind graph --help", {
        args: [...args],
        options: {
            ...clusterFlags,
            output: { type: "string", short: "o" },
            help: { type: "boolean", short: "h" },
        },
    });
    const { output, help = false } = values;
    return {
        ...parseClusterOptions(values),
        output: output === undefined ? undefined : pictureFile(output),
        isHelp: help,
    };
}
