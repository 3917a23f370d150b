import { isIP } from "node:net";
import { invalidOption, parseCommandLine } from "../../command-line/parse";
import { type ClusterChoice, clusterFlags, parseClusterOptions, reachCluster } from "../reach/cluster";
import { SSH_HELP, type SshOptions } from "../reach/ssh";
import { collect } from "./collect";
import { judge } from "./judge";
import { paintFor } from "./render/table";
import { renderJson, renderText } from "./render/text";
import { watch } from "./watch";

/** `tradewind status`: 0 if the cluster is healthy, else 1. */
export async function run(args: readonly string[]): Promise<number> {
    const options = parseStatusOptions(args);
    if (options.isHelp) {
        process.stdout.write(help);
        return 0;
    }
    const { access: cluster, machines } = await reachCluster(options);
    const cloud = cluster.local === undefined ? machines : undefined;
    const paint = paintFor(process.stdout);
    let exitCode = 1;
    const look = async () => {
        const facts = await collect({ cluster, cloud, controllers: options.controllers });
        const verdict = judge(facts);
        exitCode = verdict.isHealthy ? 0 : 1;
        return options.output === "json"
            ? `${renderJson(facts, verdict, options.isWatch ? undefined : 2)}\n`
            : renderText(facts, verdict, paint);
    };
    if (!options.isWatch) {
        process.stdout.write(await look());
        return exitCode;
    }
    const stop = new AbortController();
    process.once("SIGINT", () => stop.abort());
    // Whoever read it has seen enough: `tradewind status --watch | head`.
    process.stdout.on("error", () => stop.abort());
    const isJson = options.output === "json";
    await watch(isJson ? look : async () => `${await look()}${process.stdout.isTTY ? "" : "\n"}`, {
        screen: isJson ? { write: (text) => process.stdout.write(text) } : process.stdout,
        stop: stop.signal,
    });
    return 130;
}

interface StatusOptions extends ClusterChoice, SshOptions {
    /** Addresses of controllers to ask themselves. */
    readonly controllers: readonly string[];
    readonly output: "text" | "json";
    readonly isWatch: boolean;
    readonly isHelp: boolean;
}

export const help = `What runs where in a cluster, and what is wrong with it and what to do about it.

Usage: tradewind status [options]

  --name NAME            a cluster of this computer
  --kubeconfig FILE      any cluster, as an administrator (default: $KUBECONFIG,
                         else the cluster of this computer if there is just one)
  --context NAME         a context of the kubeconfig (default: its current one)
  --controllers IP,...   controllers' addresses, to ask them when the API is down; not needed on
                         a computer where the command once saw the API up, or for its own clusters
${SSH_HELP}
  --watch, -w            again every 2 seconds, until Ctrl-C
  --output, -o FORM      text or json (default: text); with --watch one line of JSON each time
  --help, -h

It asks, and changes nothing. It ends within about 5 seconds, whatever is down.

Exit codes:
  0    healthy; there may be warnings
  1    not healthy, or that could not be learned; it says why
  2    the command line is wrong
  130  interrupted
`;

/** Parses and checks the command line. Throws `--<option> must be <legal>, got <value>`. */
export function parseStatusOptions(args: readonly string[]): StatusOptions {
    const values = parse(args);
    const { controllers, output = "text", watch = false, help = false } = values;
    if (output !== "text" && output !== "json") {
        throw invalidOption("--output", "text or json", output);
    }
    const addresses = controllers?.split(",") ?? [];
    const wrong = addresses.find((address) => isIP(address) === 0);
    if (wrong !== undefined) {
        throw invalidOption("--controllers", "addresses, separated by commas", controllers);
    }
    return {
        ...parseClusterOptions(values),
        controllers: addresses,
        output,
        isWatch: watch,
        isHelp: help,
    };
}

function parse(args: readonly string[]) {
    const string = { type: "string" } as const;
    return parseCommandLine("tradewind status --help", {
        args: [...args],
        options: {
            ...clusterFlags,
            controllers: string,
            output: { type: "string", short: "o" },
            watch: { type: "boolean", short: "w" },
            help: { type: "boolean", short: "h" },
        },
    }).values;
}
