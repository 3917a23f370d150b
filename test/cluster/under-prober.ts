import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { readRecord } from "../../local/record";
import { clusterState } from "../../local/state";
import type { TestCluster } from "./cluster";
import { describeTallies, Prober, type Target } from "./prober";
import { likeKubernetes } from "./rollout";
import { describeSteps } from "./upgrade-steps";

/** Maximum seconds of probing: a longer one ends on its own. */
const LIMIT_SECONDS = 880;
/** The last generation drains. */
const DRAIN_MS = 15_000;

/** Asserts that no request fails meanwhile, and logs their number, the longest gap, and the duration. */
export async function underProber(
    cluster: TestCluster,
    what: string,
    targets: () => Promise<Target[]>,
    act: () => Promise<unknown>,
): Promise<void> {
    const prober = new Prober(await targets(), LIMIT_SECONDS);
    const start = performance.now();
    try {
        await act();
    } catch (error) {
        console.log(`      ${what}: ${describeTallies(await prober.stop())}`);
        throw error;
    }
    const seconds = (performance.now() - start) / 1000;
    await sleep(DRAIN_MS);
    const tallies = await prober.stop();
    console.log(`      ${what} in ${seconds.toFixed(0)} s: ${describeTallies(tallies)}`);
    const { last } = readRecord(clusterState(cluster.name).timeline, cluster.name);
    for (const line of describeSteps(last, tallies)) console.log(`        ${line}`);
    assert.deepEqual(
        likeKubernetes(tallies).flatMap(({ failures }) => failures),
        [],
    );
}

interface Node {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly unschedulable?: boolean };
    readonly status: { readonly nodeInfo: { readonly kubeletVersion: string } };
}

/** Asserts that this many nodes run the version, and that none stays cordoned. */
export async function allAre(cluster: TestCluster, version: string, nodes: number): Promise<void> {
    const { items } = await cluster.get<{ items: Node[] }>("nodes");
    assert.equal(items.length, nodes);
    for (const { metadata, spec, status } of items) {
        assert.equal(status.nodeInfo.kubeletVersion, `v${version}`, metadata.name);
        assert.notEqual(spec.unschedulable, true, `${metadata.name} stays cordoned`);
    }
}
