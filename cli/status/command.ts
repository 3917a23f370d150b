import { isIP } from "node:net";
import { writeStyled } from "../../clients/printable";
import { command } from "../../command-line/command";
import { type Check, flag, outputFormat, type Values, value } from "../../command-line/parse";
import { clusterOptions, reachCluster } from "../reach/cluster";
import { collect } from "./collect";
import { judge } from "./judge";
import { paintFor } from "./render/table";
import { renderJson, renderText } from "./render/text";
import { type Screen, watch } from "./watch";

/** Addresses, separated by commas. */
const ADDRESSES: Check<readonly string[]> = {
    legal: "addresses, separated by commas",
    read: (text) => (text.split(",").every((address) => isIP(address)) ? text.split(",") : undefined),
};

const options = {
    watch: flag("refresh every 2 seconds until Ctrl-C", { short: "w" }),
    output: outputFormat("; with --watch, one line of JSON per refresh"),
    controllers: value(
        "IP,...",
        "addresses of the controllers, to query them while the API is down. Not needed for local clusters, or if tradewind status has reached the API from this machine before",
        ADDRESSES,
    ),
    ...clusterOptions,
};

export const program = command(
    {
        name: "tradewind status",
        about: "Shows what runs where in a cluster, what is wrong and how to fix it.",
        options,
        notes: `Read-only. Finishes within about 5 seconds, even if everything is down.

Exit codes:
  0    healthy, possibly with warnings
  1    unhealthy, or the health is unknown; the output says why
  2    invalid command line
  130  interrupted`,
    },
    showStatus,
);

/** `tradewind status`: 0 if the cluster is healthy, else 1. */
async function showStatus({ controllers, output, watch: isWatch, ...choice }: Values<typeof options>): Promise<number> {
    const reached = await reachCluster(choice);
    const paint = paintFor(process.stdout);
    const show = (text: string) => (output === "json" ? process.stdout.write(text) : writeStyled(process.stdout, text));
    let exitCode = 1;
    const observe = async () => {
        const facts = await collect(reached, controllers);
        const verdict = judge(facts);
        exitCode = verdict.isHealthy ? 0 : 1;
        return output === "json"
            ? `${renderJson(facts, verdict, isWatch ? undefined : 2)}\n`
            : renderText(facts, verdict, paint);
    };
    if (!isWatch) {
        show(await observe());
        return exitCode;
    }
    const stop = new AbortController();
    process.once("SIGINT", () => stop.abort());
    // The reader has seen enough, as in `tradewind status --watch | head`.
    process.stdout.on("error", () => stop.abort());
    const isJson = output === "json";
    await watch(isJson ? observe : async () => `${await observe()}${process.stdout.isTTY ? "" : "\n"}`, {
        screen: isJson ? { write: show } : screenOf(process.stdout, show),
        stop: stop.signal,
    });
    return 130;
}

/** A terminal that is written to by a function of ours; its size may change. */
function screenOf(stream: NodeJS.WriteStream, write: Screen["write"]): Screen {
    return Object.setPrototypeOf({ write }, stream);
}
