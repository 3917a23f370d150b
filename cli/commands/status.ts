import { reachCluster } from "../reach-cluster";
import { collect } from "../status/collect";
import { judge } from "../status/judge";
import { parseStatusOptions, STATUS_HELP } from "../status/options";
import { renderJson } from "../status/render/json";
import { paintFor } from "../status/render/style";
import { renderText } from "../status/render/text";
import { watch } from "../status/watch";

export { STATUS_HELP as help } from "../status/options";

/** `tradewind status`: 0 if the cluster is healthy, else 1. */
export async function run(args: readonly string[]): Promise<number> {
    const options = parseStatusOptions(args);
    if (options.isHelp) {
        process.stdout.write(STATUS_HELP);
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
