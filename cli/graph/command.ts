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

/** `tradewind graph`: 0 when the picture is written, whatever it shows. */
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

/** What its stack tells, if it has one that is known here. */
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
    /** Where the picture goes; `-` is standard output. @default - after the cluster, here */
    readonly output?: string;
    readonly isHelp: boolean;
}

export const help = `A picture of a cluster as SVG: its network, load balancer and nodes, and the control plane's pods with
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
