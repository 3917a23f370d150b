import { ensure } from "../artifacts";
import type { Item, Way } from "../artifacts/item";
import { itemsFor, usedItems } from "../artifacts/items";
import { missingItems } from "../artifacts/needed";
import { CacheRecord } from "../artifacts/record";
import { ETCD_VERSIONS, type EtcdVersion, KUBERNETES_VERSIONS, type KubernetesVersion } from "../versions";
import type { Uses } from "../versions/images";
import type { StackConfig } from "./stack-config";

/** What determines the artifacts of a local cluster. */
export interface ClusterArtifacts {
    readonly kubernetes: KubernetesVersion;
    readonly etcd: EtcdVersion;
    /** @default - everything, as tests may set any option */
    readonly uses?: Uses;
}

/** The artifacts of a cluster with this configuration; undefined if it is not local, or has an unknown version. */
export function artifactsOf(config: StackConfig): ClusterArtifacts | undefined {
    const kubernetes = KUBERNETES_VERSIONS.find((version) => version === config["tradewind:kubernetesVersion"]);
    const etcd = ETCD_VERSIONS.find((version) => version === config["tradewind:etcdVersion"]);
    if (config["tradewind:cloud"] !== "local" || !kubernetes || !etcd) return undefined;
    // Pulumi stores what it sets as text.
    const isOn = (value: unknown) => String(value) === "true";
    const { kubelet } = (config["tradewind:selfHosted"] ?? {}) as { readonly kubelet?: unknown };
    const uses = {
        metricsServer: isOn(config["tradewind:metricsServer"]),
        logs: config["tradewind:logs"] !== undefined,
        prometheus: config["tradewind:prometheus"] !== undefined,
        kubeletPods: isOn(kubelet),
    };
    return { kubernetes, etcd, uses };
}

/** The artifacts that are not cached. */
export async function missingArtifacts({ kubernetes, etcd, uses }: ClusterArtifacts): Promise<Item[]> {
    const items = itemsFor([kubernetes], [etcd]);
    return missingItems(uses ? usedItems(items, uses) : items, await CacheRecord.open());
}

/** Downloads or builds what is missing. */
export function fetchArtifacts(
    { kubernetes, etcd, uses }: ClusterArtifacts,
    say: (line: string) => void,
    way?: Way,
): Promise<void> {
    return ensure({ kubernetes: [kubernetes], etcd: [etcd], uses, way, say });
}
