/**
 * How long a kubelet lets a container that ended wait at most: 10 seconds become twice as long each time, whoever ended it,
 * until ten minutes pass between a start and an end. Its feature gates and `maxContainerRestartPeriod` only make it less.
 */
export const mostBackOffSeconds = 300;

/** What is seen while no process runs and the kubelet has started none. */
export function describeBackOff(seconds: number): string {
    return `the kubelet has not started it for ${seconds.toFixed(0)} s: it backs off after an end, for ${mostBackOffSeconds} s at most`;
}
