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
/** Maximum seconds of probing. */
const LIMIT_SECONDS = 90;
/** Maximum milliseconds until the load balancer drops a silent machine, including open connections. */
const DETECTION_MS = 8_000;

/** One of three controllers, the etcd leader, loses power: impact on clients of the load balancer. */
export const run: Group = ({ result, say }, { signal }) =>
    // Never the user's own cluster: it loses a controller.
    withCluster(
        undefined,
        signal,
        async ({ name }) => {
            const cluster = new TestCluster(name);
            const targets = await loadBalancerTargets(cluster);
            const lost = await etcdLeader(cluster, `${name}-controller-0`);
            const prober = new Prober(targets, LIMIT_SECONDS, densePace);
            await sleep(SPREAD_MS, undefined, { signal });
            say(`cutting the power of ${lost}, the etcd leader`);
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

/** Failed requests divided by all requests, and the duration divided by what the load balancer may take. */
export function lossOf(tallies: Tallies, cut: number): Result[] {
    const { new: fresh, http2 } = tallies;
    const kinds = likeKubernetes(tallies);
    const failures = kinds.flatMap((tally) => tally.failures);
    const last = Math.max(0, ...failures.map(({ at }) => Date.parse(at) - cut));
    const gap = Math.max(fresh.longestGap, http2.longestGap);
    const limit = `the ${DETECTION_MS / 1000} s in which the load balancer drops a machine`;
    const within = (name: string, milliseconds: number) => ({
        name: `loss.${name}`,
        value: milliseconds / 1000,
        unit: "s",
        peer: limit,
        ratio: milliseconds / DETECTION_MS,
        goal: 1,
    });
    return [failedRequests("loss", tallies), within("last-failure", last), within("longest-gap", gap)];
}

/** Failed requests of Kubernetes' own clients, divided by all of them. */
export function failedRequests(group: string, tallies: Tallies): Result {
    const kinds = likeKubernetes(tallies);
    const failed = kinds.flatMap(({ failures }) => failures).length;
    return {
        name: `${group}.failed-requests`,
        value: failed,
        unit: "requests",
        peer: "all requests sent meanwhile",
        ratio: failed / kinds.reduce((sum, { requests }) => sum + requests, 0),
        goal: 0.01,
    };
}
