import { parseCommandLine } from "../../command-line/parse";
import { pictureFile, renderSvg, writePicture } from "../picture/svg";
import {
    type ClusterChoice,
    clusterFlags,
    parseClusterOptions,
    type ReachedCluster,
    reachCluster,
} from "../reach/cluster";
import { SSH_HELP, type SshOptions } from "../reach/ssh";
import { collect } from "../status/collect";
import { type Fact, known, unknown } from "../status/facts";
import { judge } from "../status/judge";
import { layOut } from "./layout";
import { type StackFacts, stackFactsIn } from "./stack-facts";
import { topologyOf } from "./topology-of";

/** `tradewind graph`: 0 if the picture was written, whatever it shows. */
export async function run(args: readonly string[]): Promise<number> {
    const options = parseGraphOptions(args);
    if (options.isHelp) {
        process.stdout.write(help);
        return 0;
    }
    const reached = await reachCluster(options);
    const { access: cluster, machines } = reached;
    const cloud = cluster.local === undefined ? machines : undefined;
    const [facts, stack] = await Promise.all([collect({ cluster, cloud, controllers: [] }), stackOf(reached)]);
    const topology = topologyOf(facts, judge(facts), stack);
    writePicture(options.output ?? `${topology.cluster}-graph.svg`, renderSvg(layOut(topology)));
    return 0;
}

/** Facts from the cluster's stack, if it is known. */
async function stackOf({ access, state }: ReachedCluster): Promise<Fact<StackFacts> | undefined> {
    if (state === undefined) {
        return undefined;
    }
    try {
        return known(stackFactsIn(await state(), access.name));
    } catch (error) {
        return unknown((error as Error).message.trim().split("\n")[0]!);
    }
}

interface GraphOptions extends ClusterChoice, SshOptions {
    /** Output file; `-` is standard output. @default - named after the cluster, in the current folder */
    readonly output?: string;
    readonly isHelp: boolean;
}

export const help = `Draws a cluster as SVG: its network, load balancer and nodes, and where each control plane pod runs from.
Works while the API is down, with whatever can still be collected.

Usage: tradewind graph [options]

  --name NAME            a local cluster
  --kubeconfig FILE      any cluster, with an administrator's kubeconfig (default: $KUBECONFIG,
                         otherwise the local cluster if there is only one)
  --context NAME         a context of the kubeconfig (default: the current one)
${SSH_HELP}
  --output, -o FILE.svg  output file; - for standard output (default: <cluster>-graph.svg)
  --help, -h

Read-only. tradewind status shows the same information as text.
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
