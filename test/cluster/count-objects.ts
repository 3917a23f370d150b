import assert from "node:assert/strict";
import { eventually, readText, type TestCluster } from "./cluster";
import { type Count, ObjectCounter } from "./object-counter";

/**
 * Does something while objects are created through the load balancer, and logs the duration and the failures. Fails if
 * none was acknowledged, or an acknowledged one is missing afterwards.
 */
export async function countObjects(cluster: TestCluster, what: string, act: () => Promise<unknown>): Promise<Count> {
    const start = performance.now();
    const counter = new ObjectCounter(readText(cluster.kubeconfig));
    await act().finally(() => counter.stop());
    const count = await counter.stop();
    const { acknowledged, failures, longestGap } = count;
    console.log(
        `      ${what} in ${((performance.now() - start) / 1000).toFixed(0)} s: ${acknowledged.length} objects acknowledged, ` +
            `${failures.length} requests failed, longest gap ${longestGap} ms` +
            `${failures.length > 0 ? `; ${failures.slice(0, 5).join("; ")}` : ""}`,
    );
    assert.ok(acknowledged.length > 0);
    assert.deepEqual(await eventually("the objects", () => lostObjects(cluster, acknowledged)), []);
    return count;
}

/** The missing ones. */
export async function lostObjects(cluster: TestCluster, names: Iterable<string>): Promise<string[]> {
    const answer = await cluster.kubectl("get", "configmaps", "--output", "name");
    const there = new Set(answer.split("\n").map((line) => line.replace("configmap/", "")));
    return [...names].filter((name) => !there.has(name));
}
