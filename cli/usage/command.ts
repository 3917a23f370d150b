import { type Caller, list } from "../../clients/kubernetes/api-client";
import { ApiError, describeError, ifFound } from "../../clients/kubernetes/api-error";
import { clientOf } from "../../clients/kubernetes/kubeconfig";
import type { Pod } from "../../clients/kubernetes/objects";
import { command } from "../../command-line/command";
import { type Check, outputFormat, type Values, values } from "../../command-line/parse";
import { apiOptions, reachCluster } from "../reach/cluster";
import { paintFor } from "../status/render/table";
import { account, type Observed, type PodMetrics, type SizedNode } from "./account";
import { renderUsage } from "./render";

const PRICE: Check<readonly [type: string, dollars: number]> = {
    legal: "a machine type and its price in US dollars a month: t3.large=60.74",
    read: (text) => {
        const [, type, dollars] = /^([^=]+)=(\d+(?:\.\d+)?)$/.exec(text) ?? [];
        return type === undefined ? undefined : [type, Number(dollars)];
    },
};

const options = {
    price: values("TYPE=DOLLARS", "price of a machine type a month", PRICE),
    output: outputFormat(),
    ...apiOptions,
};

export const program = command(
    {
        name: "tradewind usage",
        about: "Shows what pods request and use of CPU and memory, by pool and by namespace, and their share of the machines' price.",
        options,
        notes: `Read-only. What pods use needs metrics-server. A pod's share of a machine's price is the average of its shares of CPU
and memory that the machine offers. Few prices are known, those of AWS for US East (N. Virginia): see --price.

Example:
  tradewind usage --stack prod --price m7i.large=73.58`,
    },
    usage,
);

/** `tradewind usage`: 0 if it was shown. */
async function usage({ price, output, ...choice }: Values<typeof options>): Promise<number> {
    const { connection, name: cluster } = (await reachCluster(choice)).access;
    if (connection === undefined) throw new Error(`${cluster} has no kubeconfig yet`);
    const prices = Object.fromEntries(price);
    const found = await clientOf(connection, "tradewind-usage").closeAfter((api) => observe(api, prices));
    const shown = account(found);
    const text =
        output === "json" ? `${JSON.stringify(shown, undefined, 2)}\n` : renderUsage(shown, paintFor(process.stdout));
    process.stdout.write(text);
    return 0;
}

export async function observe(api: Caller, prices: Observed["prices"]): Promise<Observed> {
    const [nodes, pods, metrics] = await Promise.all([
        list<SizedNode>(api, "/api/v1/nodes?limit=500"),
        list<Pod>(api, "/api/v1/pods?limit=500"),
        ifFound(list<PodMetrics>(api, "/apis/metrics.k8s.io/v1beta1/pods")).catch((error) => {
            // It is installed, but does not serve, or not this user.
            if (error instanceof ApiError) return describeError(error);
            throw error;
        }),
    ]);
    return {
        nodes,
        pods,
        prices,
        ...(typeof metrics === "string" ? { metricsProblem: metrics } : metrics && { metrics }),
    };
}
