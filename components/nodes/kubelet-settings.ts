import type { KubeletSettings } from "../../agents/node-agent/settings";
import { commandLine, withExtra } from "../cluster/arguments";
import { contentHash } from "../cluster/content-hash";
import { hasFirstAuthority } from "../cluster/kubernetes-authority";
import type { Cluster } from "../cluster/model";
import { kubeletConfiguration } from "./kubelet-configuration";
import { paths } from "./paths";

/** By which a kubelet asks the API. */
export function kubeletKubeconfig({ keys }: Pick<Cluster, "keys">): string {
    return hasFirstAuthority(keys) ? paths.kubeconfig : paths.changedKubeconfig;
}

/** How the kubelets of a pool are set: what they boot with first, and what node-agents change. */
export function kubeletSettings(cluster: Cluster, pool: string): KubeletSettings {
    const configuration = `${JSON.stringify(kubeletConfiguration(cluster, pool), null, 2)}\n`;
    const generated: Record<string, string> = cluster.selfHosted.kubelet ? lockFlags : {};
    const own = commandLine(withExtra("kubelet", generated, cluster.extraArgs.kubelet));
    if (hasFirstAuthority(cluster.keys)) {
        return { id: contentHash({ configuration, flags: own }), configuration, flags: own };
    }
    const flags = [...commandLine(accessFlags), ...own];
    // With each list kubelets read their authorities anew.
    const { kubernetesCa } = cluster.keys;
    return { id: contentHash({ configuration, flags, kubernetesCa }), configuration, flags };
}

/** The host's kubelet ends when its pod opens the lock, and waits for it when systemd has started it again. */
const lockFlags = { "lock-file": paths.kubeletLock, "exit-on-lock-contention": "true" };

/** They win over the machine's own, whose files no agent sees. */
const accessFlags = {
    kubeconfig: paths.changedKubeconfig,
    "bootstrap-kubeconfig": paths.changedBootstrapKubeconfig,
};
