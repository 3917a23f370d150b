import type { Tallies } from "../../../test/cluster/prober";
import { likeKubernetes } from "../../../test/cluster/rollout";
import type { Result } from "../report";

/** Allowed increase of the longest gap between two responses. Unit: milliseconds. */
const GAP_ALLOWANCE_MS = 250;

/** Failed requests divided by all requests, and the longest gap divided by that of the same clients without an event. */
export function clientResults(group: string, tallies: Tallies, calm: Tallies, least = 0): Result[] {
    const kinds = likeKubernetes(tallies);
    const requests = requestsOf(tallies);
    const failed = kinds.reduce((sum, tally) => sum + tally.failures.length, 0);
    const { keepAlive } = tallies;
    const gap = ({ new: fresh, http2 }: Tallies) => Math.max(fresh.longestGap, http2.longestGap);
    return [
        {
            name: `${group}.failed-requests`,
            value: failed,
            unit: "requests",
            peer: `${requests} requests and watches sent meanwhile`,
            ratio: failed / requests,
            goal: 0,
        },
        ...(least > 0 ? [tooFew(group, requests, least)] : []),
        {
            name: `${group}.failed-keep-alive-requests`,
            value: keepAlive.failures.length,
            unit: "requests",
            peer: `${keepAlive.requests} HTTP/1.1 requests over kept connections`,
            ratio: keepAlive.failures.length / keepAlive.requests,
            goal: 0.0001,
        },
        {
            name: `${group}.longest-gap`,
            value: gap(tallies),
            unit: "ms",
            peer: `the same without an event, plus ${GAP_ALLOWANCE_MS} ms`,
            ratio: gap(tallies) / (gap(calm) + GAP_ALLOWANCE_MS),
            goal: 1,
        },
    ];
}

/** Number of requests and watches of the kind that Kubernetes' own clients make. */
export function requestsOf(tallies: Tallies): number {
    return likeKubernetes(tallies).reduce((sum, tally) => sum + tally.requests, 0);
}

/** Number of requests missing for a meaningful failure rate. */
export function tooFew(group: string, requests: number, least: number): Result {
    const missing = Math.max(0, least - requests);
    return {
        name: `${group}.too-few-requests`,
        value: missing,
        unit: "requests",
        peer: `the required ${least} requests`,
        ratio: missing / least,
        goal: 0,
    };
}
