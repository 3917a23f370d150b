import assert from "node:assert/strict";
import { readText, type TestCluster } from "./cluster";
import { probeTargets } from "./probe-targets";
import type { Tallies, Target } from "./prober";
import type { Tally } from "./prober/tally";

/** Rolls the apiservers, as an operator does by changing a flag; `level` must differ from the last one. */
export async function rollOut(cluster: TestCluster, level: number): Promise<void> {
    const flag = ["--path", "tradewind:components.kubeApiserver.v", String(level), "--plaintext"];
    await cluster.pulumi("config", "set", ...flag);
    const { stdout } = await cluster.pulumi("up", "--yes", "--skip-preview");
    assert.match(stdout, /~ 1 updated/);
}

/** Clients of a controller itself: no load balancer redirects their requests. */
export async function controllerTargets(cluster: TestCluster, controller: string): Promise<Target[]> {
    const { status } = await cluster.get<{ status: { addresses: { type: string; address: string }[] } }>(
        "node",
        controller,
    );
    const { address } = status.addresses.find(({ type }) => type === "InternalIP")!;
    return probeTargets(address, readText(cluster.kubeconfig), (...args) => cluster.kubectl(...args));
}

/** Clients that use the API's load balancer. */
export function loadBalancerTargets(cluster: TestCluster): Promise<Target[]> {
    const kubeconfig = readText(cluster.kubeconfig);
    const host = /https:\/\/([\d.]+)/.exec(kubeconfig)![1]!;
    return probeTargets(host, kubeconfig, (...args) => cluster.kubectl(...args));
}

/**
 * The kinds of clients in Kubernetes. Raw HTTP/1.1 keep-alive, which no server can end without a race, is counted
 * separately.
 */
export function likeKubernetes({ new: fresh, http2, watch }: Tallies): readonly Tally[] {
    return [fresh, http2, watch];
}
