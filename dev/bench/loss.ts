import { setTimeout as sleep } from "node:timers/promises";
import { powerOff } from "../../machines";
import { TestCluster } from "../../test/cluster/cluster";
import { etcdLeader } from "../../test/cluster/etcd-roll";
import { densePace, describeTallies, Prober, type Tallies } from "../../test/cluster/prober";
import { likeKubernetes, loadBalancerTargets } from "../../test/cluster/rollout";
import { withCluster } from "./no-change/stack";
import type { Group, Result } from "./report";

const SPREAD_MS = 5_000;
const LOST_MS = 30_000;
/** Most seconds of probing: what runs longer ends by itself. */
const LIMIT_SECONDS = 90;
/** Most milliseconds until the load balancer gives up a machine that is silent, open connections too. */
const DETECTION_MS = 8_000;

/** One of three controllers, the one that leads etcd, loses its power: what clients of the load balancer see. */
export const run: Group = ({ result, say }, { signal }) =>
    // Never a person's cluster: a controller of it is lost.
    withCluster(
        undefined,
        signal,
        async ({ name }) => {
            const cluster = new TestCluster(name);
            const targets = await loadBalancerTargets(cluster);
            const lost = await etcdLeader(cluster, `${name}-controller-0`);
            const prober = new Prober(targets, LIMIT_SECONDS, densePace);
            await sleep(SPREAD_MS, undefined, { signal });
            say(`the power of ${lost} goes, which leads etcd`);
            const cut = Date.now();
            await powerOff(name, lost);
            await sleep(LOST_MS, undefined, { signal });
            const tallies = await prober.stop();
            say(`    ${describeTallies(tallies)}`);
            for (const each of lossOf(tallies, cut)) {
                result(each);
            }
        },
        ["--controllers", "3", "--workers", "0"],
    );

/** Requests that failed, over all that were sent; and for how long, over what the load balancer may take. */
export function lossOf(tallies: Tallies, cut: number): Result[] {
    const { new: fresh, http2 } = tallies;
    const kinds = likeKubernetes(tallies);
    const failures = kinds.flatMap((tally) => tally.failures);
    const requests = kinds.reduce((sum, tally) => sum + tally.requests, 0);
    const last = Math.max(0, ...failures.map(({ at }) => Date.parse(at) - cut));
    const gap = Math.max(fresh.longestGap, http2.longestGap);
    const limit = `the ${DETECTION_MS / 1000} s in which the load balancer gives up a machine`;
    const within = (name: string, milliseconds: number) => ({
        name: `loss.${name}`,
        value: milliseconds / 1000,
        unit: "s",
        peer: limit,
        ratio: milliseconds / DETECTION_MS,
        goal: 1,
    });
    return [
        {
            name: "loss.failed-requests",
            value: failures.length,
            unit: "requests",
            peer: "all requests sent meanwhile",
            ratio: failures.length / requests,
            goal: 0.01,
        },
        within("last-failure", last),
        within("longest-gap", gap),
    ];
}
