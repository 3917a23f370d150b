import type { KubeletSettings } from "../../agents/node-agent/settings";
import { commandLine } from "../cluster/arguments";
import { contentHash } from "../cluster/content-hash";
import type { Cluster } from "../cluster/model";
import { kubeletConfiguration } from "./kubelet-configuration";
import { taintsOf } from "./taints";

/** How the kubelets of a pool are set: what they boot with first, and what node-agents change. */
export function kubeletSettings(cluster: Cluster, pool: string): KubeletSettings {
    const configuration = `${JSON.stringify(kubeletConfiguration(cluster, taintsOf(cluster, pool)), null, 2)}\n`;
    const flags = commandLine(cluster.extraArgs.kubelet);
    return { id: contentHash({ configuration, flags }), configuration, flags };
}
