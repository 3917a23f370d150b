import { readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { parse, stringify } from "yaml";
import { pulumi } from "../../../local/pulumi";
import type { ClusterState } from "../../../local/state";
import { type Config, configOf, withPaper, withStack } from "../cloud/on-paper";
import { type Group, median } from "../report";
import { growthOf, limited, type Measured, sayTable } from "./growth";

const ROUNDS = 3;

/** The number of nodes is that of a group on AWS, and of droplets on DigitalOcean: each is a resource of the stack. */
const clouds = {
    aws: { config: "stacks/Pulumi.aws-small.yaml", sizes: [10, 100, 250, 1000] },
    digitalocean: { config: "stacks/Pulumi.do-small.yaml", sizes: [10, 100, 250] },
} as const;

/** A preview without changes, and `up` of a flag, of stacks with ever more nodes on simulated clouds without machines. */
export const onClouds: Group = (report, { signal }) =>
    withPaper(report.say, async () => {
        for (const [cloud, { config, sizes }] of Object.entries(clouds)) {
            const measured = new Map<number, Measured>();
            for (const nodes of sizes) {
                signal.throwIfAborted();
                report.say(`${cloud} with ${nodes} nodes, load ${loadavg()[0]!.toFixed(1)}`);
                await withStack(`${cloud}-${nodes}`, sized(configOf(config), nodes), async (state, resources) => {
                    measured.set(nodes, { resources: resources.length, ...(await timesOf(state)) });
                });
            }
            sayTable(report, cloud, measured);
            // Growth below 1 ms a node is noise.
            const most = cloud === "aws" ? 1 : 15;
            for (const what of ["preview without changes, ms", "up of a flag, ms"]) {
                const name = `${cloud}.${what.replace(/,.*/, "").replaceAll(" ", "-")}`;
                report.result(limited(name, "ms per node", growthOf(measured, what)!, most));
            }
        }
    });

function sized(config: Config, nodes: number): Config {
    const [pool] = config["tradewind:workerPools"] as [object];
    return {
        ...config,
        "tradewind:podCidr": "10.16.0.0/12",
        "tradewind:serviceCidr": "172.20.0.0/16",
        "tradewind:workerPools": [{ ...pool, name: "default", count: nodes }],
    };
}

async function timesOf(state: ClusterState): Promise<Measured> {
    const preview = await timed(ROUNDS, () =>
        pulumi(state, ["preview", "--expect-no-changes", "--config-file", state.config]),
    );
    const up = await timed(ROUNDS, (round) => {
        const written = parse(readFileSync(state.config, "utf8"));
        const components = { kubeScheduler: { v: String(round + 1) } };
        const config = { ...written.config, "tradewind:components": components };
        writeFileSync(state.config, stringify({ ...written, config }));
        return pulumi(state, ["up", "--skip-preview", "--yes", "--config-file", state.config]);
    });
    return { "preview without changes, ms": preview, "up of a flag, ms": up };
}

async function timed(rounds: number, work: (round: number) => Promise<unknown>): Promise<number> {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
        const start = performance.now();
        await work(round);
        times.push(performance.now() - start);
    }
    return median(times);
}
