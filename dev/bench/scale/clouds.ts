import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { PROJECT_DIR, pulumi } from "../../../local/pulumi";
import type { ClusterState } from "../../../local/state";
import { type Config, configOf, withoutCheckpoints, withPaper, withStack } from "../cloud/on-paper";
import { type EmptyProgram, emptyPrograms, withProgram } from "../no-change/empty-program";
import { type Group, limited, median, type Report, type Result, type Setting } from "../report";
import { childrenTime, growthOf, type Measured, sayTable } from "./growth";

const ROUNDS = 3;

/** Limits: milliseconds per node, of what is judged. The number of nodes is that of a group on AWS, and of droplets on DigitalOcean: each is a resource of the stack. */
const clouds = {
    // Less than 1 ms is noise.
    aws: { config: "stacks/Pulumi.aws-small.yaml", sizes: [10, 100, 250, 1000], most: [1, 1] },
    digitalocean: { config: "stacks/Pulumi.do-small.yaml", sizes: [10, 100, 250], most: [8, 12] },
} as const;

/** Processors' time: on a busy machine, the time that passes says little. */
const judged = ["preview without changes, ms of CPU time", "up of a flag, ms of CPU time"] as const;

/** A preview without changes, and `up` of a flag, of stacks with ever more nodes on simulated clouds without machines. */
export const onClouds: Group = (report, context) =>
    withPaper(report.say, async () => {
        await onCloud("aws", report, context);
        await onDigitalOcean(report, context);
    });

export const onDigitalOcean: Group = async (report, context) => {
    const ours = await onCloud("digitalocean", report, context);
    for (const result of comparedTo(await plainResources(report, context), ours)) report.result(result);
};

type Growth = ReadonlyMap<number, Measured>;

async function onCloud(cloud: keyof typeof clouds, report: Report, { signal }: Setting): Promise<Growth> {
    const { config, sizes, most } = clouds[cloud];
    const measured = new Map<number, Measured>();
    for (const nodes of sizes) {
        signal.throwIfAborted();
        await withStack(`${cloud}-${nodes}`, sized(configOf(config), nodes), async (state, resources) => {
            measured.set(nodes, { resources: resources.length, ...(await timesOf(state)) });
        });
        sayTable(report, `${cloud}, load ${loadavg()[0]!.toFixed(1)}`, measured);
    }
    for (const [index, what] of judged.entries()) {
        report.result(limited(`scale.${cloud}.${short(what)}`, unit, growthOf(measured, what)!, most[index]!));
    }
    return measured;
}

/** What the resources of a droplet cost, compared to the same without what they contain. */
function comparedTo(plain: Growth, ours: Growth): Result[] {
    return judged.map((what) => {
        const [value, least] = [growthOf(ours, what)!, growthOf(plain, what)!];
        const peer = `${least.toFixed(1)} ms of a program with the same three resources and nothing in them`;
        return { name: `scale.plain-resources.${short(what)}`, value, unit, peer, ratio: value / least, goal: 1.5 };
    });
}

const unit = "ms of CPU time per node";

const short = (what: string) => what.replace(/,.*/, "").replaceAll(" ", "-");

/** The least that droplets cost: a program that only creates them, their tokens and the lifetimes of these. */
const plainProgram = (droplets: number) => `import { local } from "@pulumi/command";
import { Droplet } from "@pulumi/digitalocean/droplet";
import { Secret } from "@pulumi/kubernetes/core/v1/secret";

for (let index = 0; index < ${droplets}; index++) {
    const tags = index === 0 ? [\`flag-\${process.env.BENCH_FLAG}\`] : [];
    const name = \`plain-\${index}\`;
    new Droplet(name, { name, region: "fra1", size: "s-2vcpu-2gb", image: "170000001", tags });
    const { stdout } = new local.Command(\`lifetime-\${index}\`, { create: "echo" });
    const metadata = { name: \`token-\${index}\`, namespace: "kube-system" };
    new Secret(\`token-\${index}\`, { metadata, stringData: { end: stdout } });
}
`;

/** Says what part of the growth on DigitalOcean is Pulumi's own. */
async function plainResources(report: Report, { signal }: Setting): Promise<Growth> {
    const [{ runtime }] = emptyPrograms() as [EmptyProgram];
    const measured = new Map<number, Measured>();
    for (const droplets of clouds.digitalocean.sizes) {
        signal.throwIfAborted();
        await withProgram(runtime, plainProgram(droplets), async (run) => {
            process.env.BENCH_FLAG = "0";
            const up = () => run("up", "--skip-preview", "--yes");
            await withoutCheckpoints(up);
            const preview = await timed(ROUNDS, "preview without changes", () => run("preview", "--expect-no-changes"));
            const flag = await timed(ROUNDS, "up of a flag", (round) => {
                process.env.BENCH_FLAG = String(round + 1);
                return up();
            });
            measured.set(droplets, { ...preview, ...flag });
        });
    }
    delete process.env.BENCH_FLAG;
    sayTable(report, `the same resources with nothing in them, load ${loadavg()[0]!.toFixed(1)}`, measured);
    return measured;
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
    const preview = await timed(ROUNDS, "preview without changes", () =>
        pulumi(state, ["preview", "--expect-no-changes", "--config-file", state.config]),
    );
    const up = await timed(ROUNDS, "up of a flag", (round) => {
        setFlag(state, round + 1);
        return pulumi(state, ["up", "--skip-preview", "--yes", "--config-file", state.config]);
    });
    setFlag(state, 0);
    const events = join(state.dir, "events.json");
    writeFileSync(events, await pulumi(state, ["preview", "--json", "--show-sames", "--config-file", state.config]));
    let size = 0;
    const comment = await timed(ROUNDS, "comment of a pull request", async () => {
        const command = [join(PROJECT_DIR, "dev/tradewind.cjs"), "preview", "--events", events];
        const { status, stdout, stderr } = spawnSync(process.execPath, command, {
            encoding: "utf8",
            maxBuffer: 1 << 28,
        });
        if (status !== 0) throw new Error(`tradewind preview failed: ${stderr}`);
        size = stdout.length;
    });
    return { ...preview, ...up, ...comment, "comment of a pull request, characters": size };
}

function setFlag(state: ClusterState, value: number): void {
    const written = parse(readFileSync(state.config, "utf8"));
    const config = { ...written.config, "tradewind:components": { kubeScheduler: { v: String(value) } } };
    writeFileSync(state.config, stringify({ ...written, config }));
}

async function timed(rounds: number, what: string, work: (round: number) => Promise<unknown>): Promise<Measured> {
    const [times, cpu]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
        const [start, before] = [performance.now(), childrenTime()];
        await work(round);
        times.push(performance.now() - start);
        cpu.push(childrenTime() - before);
    }
    return { [`${what}, ms`]: median(times), [`${what}, ms of CPU time`]: median(cpu) };
}
