import { removeState } from "../../../local/state";
import { destroyCluster, ensureEngine } from "../../../machines";
import { activationSeconds } from "../../../simulator/clouds/digitalocean/load-balancer";
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

/**
 * Seconds that clouds need for a load balancer and for a machine until its system starts: the middle of what AWS
 * documents for a network load balancer (two to five minutes), and usual times otherwise.
 */
export const realDelays = {
    aws: { loadBalancer: 180, machine: 20 },
    digitalocean: { loadBalancer: 120, machine: 40 },
} as const;

interface Opened {
    readonly cluster: SimulatedCluster<unknown>;
    readonly prepare: () => Promise<void>;
    /** Makes the account as slow as the real cloud. */
    readonly slowDown: () => void;
    /** Names of nodes that the stack does not choose. */
    readonly others: () => string[];
}

/** One cluster per cloud, with a controller and a worker. */
const clouds: Readonly<Record<keyof typeof realDelays, () => Opened>> = {
    aws: () => {
        const { loadBalancer, machine } = realDelays.aws;
        const cluster = new SimulatedCluster("bench-aws", simulatedAws);
        const instances = () => cluster.account.all("instances");
        return {
            cluster,
            slowDown: () => cluster.account.behave({ loadBalancerSeconds: loadBalancer, machineSeconds: machine }),
            prepare: () => cluster.prepare(() => ({ zones: ["a"], workerPools })),
            // The node of an Auto Scaling group's instance is named after the instance ID.
            others: () => instances().flatMap(({ createdBy, machine }) => (createdBy ? [machine] : [])),
        };
    },
    digitalocean: () => {
        const { loadBalancer, machine } = realDelays.digitalocean;
        const cluster = new SimulatedCluster("bench-do", simulatedDigitalOcean);
        return {
            cluster,
            slowDown: () =>
                cluster.account.behave({ slowness: loadBalancer / activationSeconds, machineSeconds: machine }),
            prepare: () => cluster.prepare(() => ({ region: "fra1", workerPools })),
            others: () => [],
        };
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
    for (const cloud of CLOUDS) {
        signal.throwIfAborted();
        say(`simulated ${cloud}: a controller and a worker`);
        for (const each of results(cloud, await timesOf(cloud), local)) result(each);
    }
    signal.throwIfAborted();
    say(`both clouds at the same time, as slow as the real ones: ${JSON.stringify(realDelays)}`);
    const slow = await Promise.all(CLOUDS.map(async (cloud) => [cloud, await timesOf(cloud, true)] as const));
    for (const [cloud, times] of slow) result(resultWithRealDelays(cloud, times));
}

const CLOUDS = Object.keys(clouds) as (keyof typeof clouds)[];

async function timesOf(cloud: keyof typeof clouds, isSlow = false): Promise<Times> {
    const { cluster, prepare, slowDown, others } = clouds[cloud]();
    // Left behind by an earlier run that was killed.
    await remove(cluster.name);
    await prepare();
    if (isSlow) slowDown();
    try {
        return await timed(
            async () => {
                await cluster.up();
                await cluster.ready(others());
            },
            () => cluster.destroy(),
        );
    } finally {
        await remove(cluster.name);
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

/** How much longer it takes than the cloud itself, whose load balancer and machines come one after the other. */
export function resultWithRealDelays(cloud: keyof typeof realDelays, { healthy }: Times): Result {
    const { loadBalancer, machine } = realDelays[cloud];
    return {
        name: `cloud.${cloud}.healthy-with-real-delays`,
        value: healthy,
        unit: "s",
        peer: `the cloud's own time for a load balancer (${loadBalancer} s) and then a machine (${machine} s)`,
        ratio: healthy / (loadBalancer + machine),
        goal: 1.5,
    };
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
