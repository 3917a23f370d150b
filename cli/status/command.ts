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
    // The reader has seen enough, as in `tradewind status --watch | head`.
    process.stdout.on("error", () => stop.abort());
    const isJson = options.output === "json";
    await watch(isJson ? look : async () => `${await look()}${process.stdout.isTTY ? "" : "\n"}`, {
        screen: isJson ? { write: (text) => process.stdout.write(text) } : process.stdout,
        stop: stop.signal,
    });
    return 130;
}

interface StatusOptions extends ClusterChoice, SshOptions {
    /** Addresses of controllers to probe directly. */
    readonly controllers: readonly string[];
    readonly output: "text" | "json";
    readonly isWatch: boolean;
    readonly isHelp: boolean;
}

export const help = `Shows what runs where in a cluster, what is wrong and how to fix it.

Usage: tradewind status [options]

  --name NAME            a local cluster
  --kubeconfig FILE      any cluster, with an administrator's kubeconfig (default: $KUBECONFIG,
                         otherwise the local cluster if there is only one)
  --context NAME         a context of the kubeconfig (default: the current one)
  --controllers IP,...   addresses of the controllers, to query them while the API is down. Not needed for
                         local clusters, or if tradewind status has reached the API from this machine before
${SSH_HELP}
  --watch, -w            refresh every 2 seconds until Ctrl-C
  --output, -o FORMAT    text or json (default: text); with --watch, one line of JSON per refresh
  --help, -h

Read-only. Finishes within about 5 seconds, even if everything is down.

Exit codes:
  0    healthy, possibly with warnings
  1    unhealthy, or the health is unknown; the output says why
  2    invalid command line
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
