import { readText, TestCluster } from "../../test/cluster/cluster";
import { type Count, ObjectCounter } from "../../test/cluster/object-counter";
import { withCluster } from "./no-change/stack";
import type { Group, Result } from "./report";

/** Maximum pause of writes. Unit: milliseconds. */
const PAUSE_MS = 1_500;
/** Milliseconds between two writes. */
const PACE_MS = 20;
/** Values of a flag that does not change how etcd works. */
const CHANGES = ["200ms", "300ms", "400ms", "500ms"];

/** Changes of a flag of etcd on a single controller, one right after another: impact on writes. */
export const run: Group = ({ result, say }, { signal }) =>
    // Never the user's own cluster: its flags are changed.
    withCluster(undefined, signal, async ({ name }) => {
        const cluster = new TestCluster(name);
        const counts: Count[] = [];
        for (const value of CHANGES) {
            signal.throwIfAborted();
            const flag = ["--path", "tradewind:components.etcd.warning-apply-duration", value, "--plaintext"];
            await cluster.pulumi("config", "set", ...flag);
            const counter = new ObjectCounter(readText(cluster.kubeconfig), PACE_MS);
            await cluster.pulumi("up", "--yes", "--skip-preview").finally(() => counter.stop());
            const count = await counter.stop();
            const { acknowledged, failures, longestGap } = count;
            say(
                `    ${value}: ${acknowledged.length} writes, ${failures.length} failed, longest pause ${longestGap} ms`,
            );
            for (const failure of failures.slice(0, 5)) say(`        ${failure}`);
            counts.push(count);
        }
        for (const each of etcdResults(counts)) {
            result(each);
        }
    });

/** The longest pause, and failed writes divided by all. */
export function etcdResults(counts: readonly Count[]): Result[] {
    const pause = Math.max(...counts.map(({ longestGap }) => longestGap));
    const failed = counts.reduce((sum, { failures }) => sum + failures.length, 0);
    const writes = counts.reduce((sum, { acknowledged }) => sum + acknowledged.length, failed);
    return [
        {
            name: "etcd.longest-pause",
            value: pause / 1000,
            unit: "s",
            peer: `the limit of ${PAUSE_MS / 1000} s, over ${counts.length} changes`,
            ratio: pause / PAUSE_MS,
            goal: 1,
        },
        {
            name: "etcd.failed-writes",
            value: failed,
            unit: "writes",
            peer: `${writes} writes sent meanwhile`,
            ratio: failed / writes,
            goal: 0,
        },
    ];
}
