import { setTimeout as sleep } from "node:timers/promises";
import { renderKubeletEnv } from "../../agents/node-agent/kubelet-env";
import type { KubernetesVersion } from "../../artifacts";
import { fetchScript } from "../../components/nodes/fetch";
import { paths } from "../../components/nodes/paths";
import { containerName, docker, exec } from "../../machines";
import type { Kubectl } from "../../test/cluster/probe-targets";
import { firstAnswer, type Limits } from "./api";
import { IGNORED } from "./kubeadm-config";
import { kubeadmDownloads } from "./kubeadm-downloads";
import type { KubeadmPair } from "./kubeadm-pair";

/** Milliseconds of its parts. */
export type UpgradeTimes = Readonly<Record<"controlPlane" | "controllersKubelet" | "worker", number>>;

/** kubeadm knows no newer CoreDNS than the one that it comes with, and leaves it as it is. */
const COREDNS = "CoreDNSUnsupportedPlugins,CoreDNSMigration";

/**
 * Upgrades by hand as the documentation of kubeadm has it, without a pause between two commands: `kubeadm upgrade apply`; then
 * node by node `kubectl drain`, the kubelet, `kubectl uncordon`, on the worker after `kubeadm upgrade node`.
 */
export async function kubeadmUpgrade(
    pair: KubeadmPair,
    to: KubernetesVersion,
    kubectl: Kubectl,
    limits: Limits,
): Promise<UpgradeTimes> {
    const { cluster, controller, worker, access } = pair;
    const { downloads, kubeadm } = kubeadmDownloads(cluster, to);
    const run = (node: string, script: string) =>
        docker(["exec", containerName(cluster, node), "sh", "-euc", script], { timeout: limits.deadline - Date.now() });
    const fetchKubeadm = (node: string) =>
        run(
            node,
            `${fetchScript} /usr/local/bin/kubeadm ${kubeadm.sha256} ${kubeadm.urls.join(" ")}; chmod 0755 /usr/local/bin/kubeadm`,
        );
    // The new kubelet starts the API anew, which refuses for a moment: an operator tries again, and so is it done here.
    const insist = async (command: () => Promise<string>) => {
        for (;;) {
            try {
                return await command();
            } catch (error) {
                if (Date.now() > limits.deadline) throw error;
                await sleep(1000, undefined, { signal: limits.signal });
            }
        }
    };
    const upgradeKubelet = async (node: string) => {
        await insist(() => kubectl("drain", node, "--ignore-daemonsets", "--delete-emptydir-data"));
        const env = renderKubeletEnv({ version: to, ...downloads.kubelet, settings: "0" });
        await exec(cluster, node, ["sh", "-euc", `cat >${paths.kubeletVersion}; systemctl restart kubelet`], env);
        await firstAnswer(access, `/api/v1/nodes/${node}`, limits, (body) => runs(body, to));
        await insist(() => kubectl("uncordon", node));
    };
    const started = performance.now();
    await fetchKubeadm(controller);
    await run(controller, `kubeadm upgrade apply v${to} --yes --skip-phases=addon/coredns ${IGNORED},${COREDNS}`);
    const applied = performance.now();
    await upgradeKubelet(controller);
    const first = performance.now();
    await fetchKubeadm(worker);
    await insist(() => run(worker, `kubeadm upgrade node ${IGNORED}`));
    await upgradeKubelet(worker);
    return { controlPlane: applied - started, controllersKubelet: first - applied, worker: performance.now() - first };
}

/** Whether a Node is Ready with a kubelet of that version. */
export function runs(node: string, version: string): boolean {
    type Node = { status: { nodeInfo: { kubeletVersion: string }; conditions?: { type: string; status: string }[] } };
    const { nodeInfo, conditions = [] } = (JSON.parse(node) as Node).status;
    const isReady = conditions.some(({ type, status }) => type === "Ready" && status === "True");
    return isReady && nodeInfo.kubeletVersion === `v${version}`;
}
