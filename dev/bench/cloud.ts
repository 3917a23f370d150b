import type { Bill, Resource } from "../../cli/verify-cloud/clouds/facts";
import { monthlyCost } from "../../cli/verify-cloud/cost/bill";
import { billOf } from "../../cli/verify-cloud/cost/bill-of-stack";
import { pulumi } from "../../local/pulumi";
import type { ClusterState } from "../../local/state";
import { type Config, configOf, withPaper, withStack } from "./cloud/on-paper";
import { type MeasuredCloud, peers, typhoonsPlan } from "./cloud/peers";
import { run as up } from "./cloud/up";
import { emptyPrograms, withEmptyProgram } from "./no-change/empty-program";
import { compare, type Group, type Result } from "./report";

const ROUNDS = 5;

/** For each cloud: the smallest cluster, a production cluster, and one of the size in Typhoon's documentation. */
const sizes: Readonly<Record<MeasuredCloud, Readonly<Record<string, () => Config>>>> = {
    aws: {
        smallest: () => configOf("stacks/Pulumi.aws-small.yaml"),
        "as-documented": () => withTwoWorkers(configOf("stacks/Pulumi.aws-small.yaml")),
        production: () => configOf("stacks/Pulumi.aws-production.yaml"),
    },
    digitalocean: {
        smallest: () => configOf("stacks/Pulumi.do-smallest.yaml"),
        small: () => configOf("stacks/Pulumi.do-small.yaml"),
        "as-documented": () => withTwoWorkers(configOf("stacks/Pulumi.do-small.yaml")),
        production: () => configOf("stacks/Pulumi.do-production.yaml"),
    },
};

/** Cost of cloud stacks: simulated without machines, and with local machines. */
export const run: Group = async (report, context) => {
    await onPaper(report, context);
    await up(report, context);
};

/**
 * A preview without changes, the number of resources, and the monthly list price.
 *
 * The simulated preview contacts no cloud and no cluster: it measures Pulumi and our program only.
 */
const onPaper: Group = ({ result, say }, { signal }) =>
    withPaper(say, async () => {
        for (const [cloud, configs] of Object.entries(sizes) as [MeasuredCloud, Record<string, () => Config>][]) {
            for (const [size, config] of Object.entries(configs)) {
                signal.throwIfAborted();
                say(`${cloud}, ${size}`);
                await withStack(`${cloud}-${size}`, config(), async (state, resources) => {
                    const counted = kinds(resources);
                    const text = Object.entries(counted).map(([kind, count]) => `${count} ${kind}`);
                    say(`${text.join(", ")}; ${JSON.stringify(billOf(resources))}`);
                    for (const each of results(cloud, size, resources)) result(each);
                    if (size !== "as-documented") result(await noChange(`cloud.${cloud}.${size}.no-change`, state));
                });
            }
        }
    });

/** Results derived from a stack's resources. */
export function results(cloud: MeasuredCloud, size: string, resources: readonly Resource[]): Result[] {
    const name = `cloud.${cloud}.${size}`;
    if (size === "as-documented") {
        const value = Object.values(kinds(resources)).reduce((sum, count) => sum + count, 0);
        const peer = "Typhoon's documented plan with 1 controller and 2 workers";
        return [
            { name: `${name}.resources`, value, unit: "resources", peer, ...against(value, typhoonsPlan[cloud], 2) },
        ];
    }
    return costs(name, cloud, billOf(resources));
}

function costs(name: string, cloud: MeasuredCloud, ours: Bill): Result[] {
    const value = monthlyCost(cloud, ours);
    return peers.map((peer) => ({
        name: `${name}.cost.${peer.name.toLowerCase()}`,
        value,
        unit: "USD/month",
        peer: `${peer.name} with the same machines, at the list prices in cli/verify-cloud/clouds`,
        ...against(value, monthlyCost(cloud, peer.bill[cloud](ours)), 1.5),
    }));
}

/** Numbers of cloud resources, keys and cluster objects, without Pulumi's own resources. */
export function kinds(resources: readonly Resource[]): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { type } of resources) {
        const [package_ = ""] = type.split(":");
        if (["pulumi", "tradewind"].includes(package_)) continue;
        counts[package_] = (counts[package_] ?? 0) + 1;
    }
    return counts;
}

function against(value: number, peer: number, goal: number): Pick<Result, "ratio" | "goal"> {
    return { ratio: value / peer, goal };
}

async function noChange(name: string, state: ClusterState): Promise<Result> {
    const [{ title, runtime }] = emptyPrograms() as [ReturnType<typeof emptyPrograms>[number]];
    const preview = () => pulumi(state, ["preview", "--expect-no-changes", "--config-file", state.config]);
    const { value, peer } = await withEmptyProgram(runtime, (empty) => compare(ROUNDS, preview, empty));
    return { name, value, unit: "ms", peer: title, ratio: value / peer, goal: 1.5 };
}

function withTwoWorkers(config: Config): Config {
    return { ...config, "tradewind:workerPools": [{ name: "default", count: 2 }] };
}
