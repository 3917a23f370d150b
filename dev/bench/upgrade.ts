import { setTimeout as sleep } from "node:timers/promises";
import { TestCluster } from "../../test/cluster/cluster";
import { densePace, describeTallies, Prober, type Target } from "../../test/cluster/prober";
import { controllerTargets, loadBalancerTargets } from "../../test/cluster/rollout";
import { PREVIOUS_MINOR, versions } from "../../versions";
import { withBenchNetwork } from "./control-plane/bench-network";
import { clientResults, requestsOf, tooFew } from "./control-plane/client-results";
import { type Cost, kubeadmCost } from "./control-plane/kubeadm-cost";
import { memoryPeak } from "./control-plane/memory";
import { withCluster } from "./no-change/stack";
import type { Group, Report, Result } from "./report";

const PEER = "bench-upgrade";
const FROM = PREVIOUS_MINOR;
const BASELINE_MS = 30_000;
/** Time for the last generation to drain. */
const DRAIN_MS = 15_000;
/** For both upgrades together: one is too short for this many. */
const LEAST_REQUESTS = 20_000;
/** Maximum seconds of probing. */
const LIMIT_SECONDS = 1_500;

/** Upgrade to the next minor version including kubelets, with one controller and with three: impact on clients. */
export const run: Group = async (report, { signal }) => {
    const versionPair = [FROM, versions.kubernetes] as const;
    const measurePeer = (subnet: string) => kubeadmCost(PEER, subnet, versionPair, report.say, signal);
    const peer = await withBenchNetwork(PEER, report.say, measurePeer, versionPair);
    let requests = 0;
    for (const controllers of [1, 3]) {
        const size = ["--controllers", String(controllers), "--workers", "1", "--kubernetes", FROM];
        // Never the user's own cluster: its version changes.
        const upgraded = await withCluster(
            undefined,
            signal,
            ({ name }) => upgrade(name, controllers, report, signal),
            size,
        );
        requests += upgraded.requests;
        costs(controllers, upgraded, controllers === 1 ? peer : undefined).forEach(report.result);
    }
    report.result(tooFew("upgrade", requests, LEAST_REQUESTS));
};

/** Cost of an upgrade of controllers and a worker, compared to kubeadm's on the same machines if measured. */
export function costs(controllers: number, mine: Cost, theirs?: Cost): Result[] {
    const group = `upgrade.${controllers}-controllers`;
    const memory: Result = {
        name: `${group}.memory-peak`,
        value: mine.peak,
        unit: "MiB",
        peer: "the same controller before the upgrade; all processes may run twice",
        ratio: mine.peak / mine.before,
        goal: 2,
    };
    if (!theirs) {
        return [memory];
    }
    const duration: Result = {
        name: `${group}.duration`,
        value: mine.duration / 1000,
        unit: "s",
        peer: "kubeadm upgrade apply, then drain, kubelet and uncordon of both nodes, without pauses",
        ratio: mine.duration / theirs.duration,
        goal: 0.4,
    };
    return [duration, memory];
}

async function upgrade(
    name: string,
    controllers: number,
    { result, say }: Report,
    signal: AbortSignal,
): Promise<Cost & { requests: number }> {
    const cluster = new TestCluster(name);
    const targets = await targetsOf(cluster, controllers);
    const baseline = new Prober(targets, LIMIT_SECONDS, densePace);
    await sleep(BASELINE_MS, undefined, { signal });
    const calm = await baseline.stop();
    say(`    without an upgrade: ${describeTallies(calm)}`);
    await cluster.pulumi("config", "set", "kubernetesVersion", versions.kubernetes);
    const prober = new Prober(targets, LIMIT_SECONDS, densePace);
    const start = performance.now();
    const { result: up, ...memory } = await memoryPeak(name, `${name}-controller-0`, () =>
        cluster.pulumi("up", "--yes", "--skip-preview"),
    );
    const duration = performance.now() - start;
    for (const line of stepsOf(up.stdout)) {
        say(`    ${line}`);
    }
    say(
        `${controllers} controllers and a worker from ${FROM} to ${versions.kubernetes} in ${(duration / 1000).toFixed(0)} s`,
    );
    await sleep(DRAIN_MS, undefined, { signal });
    const tallies = await prober.stop();
    say(`    ${describeTallies(tallies)}`);
    for (const each of clientResults(`upgrade.${controllers}-controllers`, tallies, calm)) {
        result(each);
    }
    return { duration, requests: requestsOf(tallies), ...memory };
}

/** A single controller, or the load balancer in front of several. */
function targetsOf(cluster: TestCluster, controllers: number): Promise<Target[]> {
    return controllers === 1
        ? controllerTargets(cluster, `${cluster.name}-controller-0`)
        : loadBalancerTargets(cluster);
}

/** Rollouts and their durations, from the output of `up`. */
export function stepsOf(output: string): string[] {
    return [...output.matchAll(/(?:DaemonSet|Deployment) \S+\/(\S+) updated \(([^)]+)\)/g)].map(
        ([, name, time]) => `${name}: ${time}`,
    );
}
