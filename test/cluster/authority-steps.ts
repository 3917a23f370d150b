import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { writePrivate } from "../../command-line/private-file";
import type { TestCluster } from "./cluster";

/** Sets `keys.kubernetesCa` to a list. */
export async function wantAuthorities(cluster: TestCluster, ...generations: number[]): Promise<void> {
    await cluster.pulumi("config", "rm", "--path", "tradewind:keys.kubernetesCa").catch(() => {});
    for (const [index, generation] of generations.entries()) {
        const path = `tradewind:keys.kubernetesCa[${index}]`;
        await cluster.pulumi("config", "set", "--path", path, String(generation), "--plaintext");
    }
}

/** The error of a preview that is rejected. */
export function refusal(cluster: TestCluster): Promise<string> {
    return cluster.pulumi("preview").then(
        () => assert.fail("the preview was not rejected"),
        (error: Error) => error.message,
    );
}

/** Restarts the pods listed by the preview, which started before they could know the new CA; resolves to those. */
export async function restartReaders(cluster: TestCluster): Promise<string[]> {
    const told = await refusal(cluster);
    const commands = [...told.matchAll(/kubectl -n (\S+) rollout restart (\S+):/g)];
    assert.ok(commands.length > 0, told);
    for (const [, namespace, workload] of commands as unknown as [string, string, string][]) {
        await cluster.kubectl("-n", namespace, "rollout", "restart", workload);
        await cluster.kubectl("-n", namespace, "rollout", "status", workload, "--timeout=100s");
    }
    return commands.map(([, , workload]) => workload!);
}

/** From now on the cluster is accessed with the stack's current kubeconfig. */
export async function takeKubeconfig(cluster: TestCluster): Promise<void> {
    const { stdout } = await cluster.pulumi("stack", "output", "kubeconfig", "--show-secrets");
    writePrivate(cluster.kubeconfig, stdout);
}

/** The CA of each kubelet's client certificate. */
export async function issuedToKubelets(cluster: TestCluster, machines: readonly string[]): Promise<string[]> {
    const pems = await Promise.all(
        machines.map((machine) => cluster.exec(machine, "cat /var/lib/kubelet/pki/kubelet-client-current.pem")),
    );
    return pems.map((pem) => new X509Certificate(pem).issuer.replace(/^.*CN=/s, ""));
}
