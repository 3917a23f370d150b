import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { PROJECT_DIR, pulumi } from "../../../local/pulumi";
import type { ClusterState } from "../../../local/state";
import { type Config, configOf, withPaper, withStack } from "../cloud/on-paper";
import { type Group, median, type Report, type Setting } from "../report";
import { growthOf, limited, type Measured, sayTable } from "./growth";

const ROUNDS = 3;

/** Limits: milliseconds per node. The number of nodes is that of a group on AWS, and of droplets on DigitalOcean: each is a resource of the stack. */
const clouds = {
    // Less than 1 ms is noise.
    aws: { config: "stacks/Pulumi.aws-small.yaml", sizes: [10, 100, 250, 1000], most: 1 },
    digitalocean: { config: "stacks/Pulumi.do-small.yaml", sizes: [10, 100, 250], most: 15 },
} as const;

/** A preview without changes, and `up` of a flag, of stacks with ever more nodes on simulated clouds without machines. */
export const onClouds: Group = (report, context) =>
    withPaper(report.say, async () => {
        for (const cloud of Object.keys(clouds) as (keyof typeof clouds)[]) await onCloud(cloud, report, context);
    });

export async function onCloud(cloud: keyof typeof clouds, report: Report, { signal }: Setting): Promise<void> {
    const { config, sizes, most } = clouds[cloud];
    const measured = new Map<number, Measured>();
    for (const nodes of sizes) {
        signal.throwIfAborted();
        await withStack(`${cloud}-${nodes}`, sized(configOf(config), nodes), async (state, resources) => {
            measured.set(nodes, { resources: resources.length, ...(await timesOf(state)) });
        });
        sayTable(report, `${cloud}, load ${loadavg()[0]!.toFixed(1)}`, measured);
    }
    for (const what of ["preview without changes, ms", "up of a flag, ms"]) {
        const name = `${cloud}.${what.replace(/,.*/, "").replaceAll(" ", "-")}`;
        report.result(limited(name, "ms per node", growthOf(measured, what)!, most));
    }
}

function sized(config: Config, nodes: number): Config {
    return {
        ...config,
        "tradewind:podCidr": "10.16.0.0/12",
        "tradewind:serviceCidr": "172.20.0.0/16",
        "tradewind:workerPools": [{ name: "default", count: nodes }],
    };
}

async function timesOf(state: ClusterState): Promise<Measured> {
    const preview = await timed(ROUNDS, () =>
        pulumi(state, ["preview", "--expect-no-changes", "--config-file", state.config]),
    );
    const up = await timed(ROUNDS, (round) => {
        setFlag(state, round + 1);
        return pulumi(state, ["up", "--skip-preview", "--yes", "--config-file", state.config]);
    });
    setFlag(state, 0);
    const events = join(state.dir, "events.json");
    writeFileSync(events, await pulumi(state, ["preview", "--json", "--config-file", state.config]));
    const comment = await timed(ROUNDS, async () => {
        const command = [join(PROJECT_DIR, "dev/tradewind.cjs"), "preview", "--events", events];
        const { status, stderr } = spawnSync(process.execPath, command, { encoding: "utf8", maxBuffer: 1 << 28 });
        if (status !== 0) throw new Error(`tradewind preview failed: ${stderr}`);
    });
    return {
        "preview without changes, ms": preview,
        "up of a flag, ms": up,
        "comment of a pull request, from the preview's events, ms": comment,
    };
}

function setFlag(state: ClusterState, value: number): void {
    const written = parse(readFileSync(state.config, "utf8"));
    const config = { ...written.config, "tradewind:components": { kubeScheduler: { v: String(value) } } };
    writeFileSync(state.config, stringify({ ...written, config }));
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
