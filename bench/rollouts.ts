import { setTimeout as sleep } from "node:timers/promises";
import { TestCluster } from "../test/cluster/cluster";
import { describeTallies, Prober, type Tallies } from "../test/cluster/prober";
import { controllerTargets, likeKubernetes, rollOut } from "../test/cluster/rollout";
import { withCluster } from "./no-change/stack";
import type { Group, Result } from "./report";

const ROLLOUTS = 10;
const LEAST_REQUESTS = 20_000;
/** Without a rollout. */
const BASELINE_MS = 30_000;
/** The last generation drains. */
const DRAIN_MS = 15_000;
/** Most seconds of probing: what runs longer ends by itself. */
const LIMIT_SECONDS = 1_500;
/** What a rollout may add to the longest time between two answers. Unit: milliseconds. */
const GAP_ALLOWANCE_MS = 250;

/** Ten rollouts of the only controller's apiserver: what its clients see. */
export const run: Group = ({ result, say }, { signal }) =>
    // Never a person's cluster: its flags are changed.
    withCluster(undefined, signal, async ({ name }) => {
        const cluster = new TestCluster(name);
        const targets = await controllerTargets(cluster, `${name}-controller-0`);
        const baseline = new Prober(targets, LIMIT_SECONDS);
        await sleep(BASELINE_MS, undefined, { signal });
        const calm = await baseline.stop();
        say(`    without a rollout: ${describeTallies(calm)}`);
        const prober = new Prober(targets, LIMIT_SECONDS);
        for (let rollout = 1; rollout <= ROLLOUTS; rollout++) {
            signal.throwIfAborted();
            say(`rollout ${rollout} of ${ROLLOUTS}`);
            await rollOut(cluster, rollout % 2);
        }
        await sleep(DRAIN_MS, undefined, { signal });
        const tallies = await prober.stop();
        say(`    ${describeTallies(tallies)}`);
        for (const each of rolloutResults(tallies, calm)) {
            result(each);
        }
    });

/** Failures over the requests that were sent, and the longest gap over that of the same clients without a rollout. */
export function rolloutResults(tallies: Tallies, calm: Tallies): Result[] {
    const kinds = likeKubernetes(tallies);
    const requests = kinds.reduce((sum, tally) => sum + tally.requests, 0);
    const failed = kinds.reduce((sum, tally) => sum + tally.failures.length, 0);
    const { keepAlive } = tallies;
    const gap = ({ new: fresh, http2 }: Tallies) => Math.max(fresh.longestGap, http2.longestGap);
    return [
        {
            name: "rollouts.failed-requests",
            value: failed,
            unit: "requests",
            peer: `${requests} requests and watches sent meanwhile`,
            ratio: failed / requests,
            goal: 0,
        },
        {
            name: "rollouts.too-few-requests",
            value: Math.max(0, LEAST_REQUESTS - requests),
            unit: "requests",
            peer: `the ${LEAST_REQUESTS} that are to be sent`,
            ratio: Math.max(0, LEAST_REQUESTS - requests) / LEAST_REQUESTS,
            goal: 0,
        },
        {
            name: "rollouts.failed-keep-alive-requests",
            value: keepAlive.failures.length,
            unit: "requests",
            peer: `${keepAlive.requests} HTTP/1.1 requests over kept connections`,
            ratio: keepAlive.failures.length / keepAlive.requests,
            goal: 0.005,
        },
        {
            name: "rollouts.longest-gap",
            value: gap(tallies),
            unit: "ms",
            peer: `the same without a rollout, and ${GAP_ALLOWANCE_MS} ms`,
            ratio: gap(tallies) / (gap(calm) + GAP_ALLOWANCE_MS),
            goal: 1,
        },
    ];
}
