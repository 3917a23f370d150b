import { removeState } from "../../../local/state";
import { destroyCluster, ensureEngine } from "../../../machines";
import { TestCluster } from "../../../test/cluster/cluster";
import { simulatedAws } from "../../../test/cluster/simulated-aws";
import { SimulatedCluster } from "../../../test/cluster/simulated-cluster";
import { simulatedDigitalOcean } from "../../../test/cluster/simulated-digitalocean";
import { withBenchState } from "../no-change/stack";
import type { Group, Report, Result } from "../report";

/** Durations for a cluster. Unit: seconds. */
export interface Times {
    /** From `up` until all nodes and pods are ready. */
    readonly healthy: number;
    readonly destroy: number;
}

const workerPools = [{ name: "default" }];

/** One cluster per cloud, with a controller and a worker. */
const clouds = {
    aws: () => {
        const cluster = new SimulatedCluster("bench-aws", simulatedAws);
        const instances = () => cluster.account.all("instances");
        return {
            cluster,
            prepare: () => cluster.prepare(() => ({ zones: ["a"], workerPools })),
            // The node of an Auto Scaling group's instance is named after the instance ID.
            others: () => instances().flatMap(({ madeBy, machine }) => (madeBy ? [machine] : [])),
        };
    },
    digitalocean: () => {
        const cluster = new SimulatedCluster("bench-do", simulatedDigitalOcean);
        return { cluster, prepare: () => cluster.prepare(() => ({ region: "fra1", workerPools })), others: () => [] };
    },
};

/**
 * Clusters on simulated clouds with local machines: measures the stacks and nodes, without real clouds, whose load balancers and
 * instances take minutes to create.
 */
export const run: Group = (report, { signal }) => withBenchState(() => measure(report, signal));

async function measure({ result, say }: Report, signal: AbortSignal): Promise<void> {
    await ensureEngine();
    say("local stack: a controller and a worker");
    const local = await timesOfLocal("bench-local");
    for (const [cloud, open] of Object.entries(clouds)) {
        signal.throwIfAborted();
        say(`simulated ${cloud}: a controller and a worker`);
        const { cluster, prepare, others } = open();
        // Left behind by an earlier run that was killed.
        await remove(cluster.name);
        await prepare();
        try {
            const times = await timed(
                async () => {
                    await cluster.up();
                    await cluster.ready(others());
                },
                () => cluster.destroy(),
            );
            for (const each of results(cloud, times, local)) result(each);
        } finally {
            await remove(cluster.name);
        }
    }
}

async function remove(name: string): Promise<void> {
    await destroyCluster(name);
    removeState(name);
}

/** Durations on a cloud divided by those of the local stack. */
export function results(cloud: string, times: Times, local: Times): Result[] {
    const over = (what: keyof Times, goal: number): Result => ({
        name: `cloud.${cloud}.${what}`,
        value: times[what],
        unit: "s",
        peer: "the local stack with the same machines",
        ratio: times[what] / local[what],
        goal,
    });
    return [over("healthy", 2), over("destroy", 3)];
}

async function timesOfLocal(name: string): Promise<Times> {
    const cluster = new TestCluster(name);
    await remove(name);
    try {
        return await timed(
            () => cluster.start("--controllers", "1", "--workers", "1"),
            () => cluster.destroy(),
        );
    } finally {
        await remove(name);
    }
}

async function timed(up: () => Promise<unknown>, destroy: () => Promise<unknown>): Promise<Times> {
    const start = performance.now();
    await up();
    const healthy = performance.now();
    await destroy();
    return { healthy: (healthy - start) / 1000, destroy: (performance.now() - healthy) / 1000 };
}
