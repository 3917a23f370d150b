import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KubernetesVersion } from "../../artifacts";
import { kubectl } from "../../test/cluster/cluster";
import { type Kubectl, probeTargets } from "../../test/cluster/probe-targets";
import { densePace, describeTallies, Prober } from "../../test/cluster/prober";
import { kubeadmPair } from "./kubeadm-pair";
import { kubeadmUpgrade } from "./kubeadm-upgrade";
import { memoryPeak } from "./memory-peak";

/** What an upgrade takes: milliseconds, and MiB of the first controller. */
export interface Cost {
    readonly duration: number;
    readonly before: number;
    readonly peak: number;
}

/** Most that a boot and an upgrade may take. */
const LIMIT_SECONDS = 900;

/** kubeadm's upgrade of a controller and a worker, on a network of their own, with the clients that ours has. */
export async function kubeadmCost(
    cluster: string,
    subnet: string,
    [from, to]: readonly [KubernetesVersion, KubernetesVersion],
    say: (line: string) => void,
    signal: AbortSignal,
): Promise<Cost> {
    const limits = { deadline: Date.now() + LIMIT_SECONDS * 1000, signal };
    const pair = await kubeadmPair(cluster, subnet, from, limits);
    const folder = mkdtempSync(join(tmpdir(), "tradewind-bench-"));
    try {
        const kubeconfig = join(folder, "kubeconfig");
        writeFileSync(kubeconfig, pair.kubeconfig, { mode: 0o600 });
        const asAdmin: Kubectl = (...args) => kubectl(kubeconfig, ...args);
        const targets = await probeTargets(pair.address, pair.kubeconfig, asAdmin);
        const prober = new Prober(targets, LIMIT_SECONDS, densePace);
        const upgraded = await memoryPeak(cluster, pair.controller, () =>
            kubeadmUpgrade(pair, to, asAdmin, limits),
        ).catch(async (error: Error) => {
            await prober.stop().catch(() => undefined);
            throw error;
        });
        say(`    ${describeTallies(await prober.stop())}`);
        const { result: times, ...memory } = upgraded;
        const parts = [times.controlPlane, times.controllersKubelet, times.worker];
        const duration = parts.reduce((sum, part) => sum + part, 0);
        const [total, ...each] = [duration, ...parts].map((part) => `${(part / 1000).toFixed(0)} s`);
        say(`kubeadm's in ${total}: control plane, its kubelet, worker ${each.join(", ")}`);
        return { duration, ...memory };
    } finally {
        rmSync(folder, { recursive: true });
    }
}
