import { setTimeout as sleep } from "node:timers/promises";
import { minorOf } from "../../cluster/upgrades/version";
import { TestCluster } from "../../test/cluster/cluster";
import { densePace, describeTallies, Prober, type Target } from "../../test/cluster/prober";
import { controllerTargets, loadBalancerTargets } from "../../test/cluster/rollout";
import { KUBERNETES_VERSIONS, type KubernetesVersion, PREVIOUS_MINOR, versions } from "../../versions";
import { withBenchNetwork } from "./control-plane/bench-network";
import { clientResults, requestsOf, tooFew } from "./control-plane/client-results";
import { type Cost, kubeadmCost } from "./control-plane/kubeadm-cost";
import { memoryPeak } from "./control-plane/memory";
import { withCluster } from "./no-change/stack";
import type { Group, Report, Result } from "./report";

const PEER = "bench-upgrade";
const OLDEST = KUBERNETES_VERSIONS.at(-1)!;
/** Goals in seconds: an upgrade over all minor versions, and the way back over one. */
const SEVERAL_SECONDS = 150;
const BACK_SECONDS = 45;
const BASELINE_MS = 30_000;
/** Time for the last generation to drain. */
const DRAIN_MS = 15_000;
/** For both upgrades together: one is too short for this many. */
const LEAST_REQUESTS = 20_000;
/** Maximum seconds of probing. */
const LIMIT_SECONDS = 1_500;

/** Upgrades including kubelets, and the way back: time, and impact on clients. */
export const run: Group = async (report, { signal }) => {
    const versionPair = [PREVIOUS_MINOR, versions.kubernetes] as const;
    const measurePeer = (subnet: string) => kubeadmCost(PEER, subnet, versionPair, report.say, signal);
    const peer = await withBenchNetwork(PEER, report.say, measurePeer, versionPair);
    let requests = 0;
    for (const { controllers, from } of [
        { controllers: 1, from: PREVIOUS_MINOR },
        { controllers: 3, from: PREVIOUS_MINOR },
        { controllers: 1, from: OLDEST },
    ]) {
        const size = ["--controllers", String(controllers), "--workers", "1", "--kubernetes", from];
        const isNext = from === PREVIOUS_MINOR;
        const group = `upgrade.${isNext ? "" : "several-minors."}${controllers}-controllers`;
        // Never the user's own cluster: its version changes.
        const work = ({ name }: { readonly name: string }) => upgrade(name, group, controllers, from, report, signal);
        const upgraded = await withCluster(undefined, signal, work, size);
        requests += upgraded.requests;
        costs(group, upgraded, isNext && controllers === 1 ? peer : undefined).forEach(report.result);
        if (!isNext) report.result(within(`${group}.duration`, upgraded.duration, SEVERAL_SECONDS));
        report.result(within(`${group}.back`, upgraded.back, BACK_SECONDS));
    }
    report.result(tooFew("upgrade", requests, LEAST_REQUESTS));
};

/** A time in milliseconds without a peer, compared with a goal. */
function within(name: string, duration: number, seconds: number): Result {
    const value = duration / 1000;
    return { name, value, unit: "s", peer: `${seconds} s`, ratio: value / seconds, goal: 1 };
}

/** Cost of an upgrade of controllers and a worker, compared to kubeadm's on the same machines if measured. */
export function costs(group: string, mine: Cost, theirs?: Cost): Result[] {
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
    group: string,
    controllers: number,
    from: KubernetesVersion,
    { result, say }: Report,
    signal: AbortSignal,
): Promise<Cost & { back: number; requests: number }> {
    const cluster = new TestCluster(name);
    const targets = await targetsOf(cluster, controllers);
    const baseline = new Prober(targets, LIMIT_SECONDS, densePace);
    await sleep(BASELINE_MS, undefined, { signal });
    const calm = await baseline.stop();
    say(`    without an upgrade: ${describeTallies(calm)}`);
    // kubeadm has no pause, either.
    await cluster.pulumi("config", "set", "--path", "upgradeGuard.soak", "1s");
    if (from === OLDEST) await cluster.pulumi("config", "set", "rollbackTo", minorOf(from));
    const prober = new Prober(targets, LIMIT_SECONDS, densePace);
    const to = versions.kubernetes;
    const { result: duration, ...memory } = await memoryPeak(name, `${name}-controller-0`, () =>
        change(cluster, from, to, say),
    );
    const back = await change(cluster, to, from, say);
    await sleep(DRAIN_MS, undefined, { signal });
    const tallies = await prober.stop();
    say(`    ${describeTallies(tallies)}`);
    for (const each of clientResults(group, tallies, calm)) {
        result(each);
    }
    return { duration, back, requests: requestsOf(tallies), ...memory };
}

/** Milliseconds of an `up` to another version. */
async function change(
    cluster: TestCluster,
    from: KubernetesVersion,
    to: KubernetesVersion,
    say: (line: string) => void,
): Promise<number> {
    await cluster.pulumi("config", "set", "kubernetesVersion", to);
    const started = performance.now();
    const { stdout } = await cluster.pulumi("up", "--yes", "--skip-preview");
    const duration = performance.now() - started;
    for (const line of stepsOf(stdout)) {
        say(`    ${line}`);
    }
    say(`from ${from} to ${to} in ${(duration / 1000).toFixed(0)} s`);
    return duration;
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
