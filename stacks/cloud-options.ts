import { cloudDownloads } from "./cloud-downloads";
import type { AwsConfig, DigitalOceanConfig } from "./config";
import { etcdSnapshots } from "./etcd-snapshots";

/** The options of a cluster on a cloud: the stack's keys, but for those that options have in another place. */
export function cloudOptions<T extends AwsConfig | DigitalOceanConfig>(config: T) {
    const { cloud: _, pools, downloads, ...rest } = config;
    const { podCidr, serviceCidr, clusterDomain, kubeProxyMode, keepsConntrackLimits, ...options } = rest;
    return {
        ...options,
        ...etcdSnapshots(config),
        workerPools: pools as T["pools"],
        network: { podCidr, serviceCidr, clusterDomain, kubeProxyMode, keepsConntrackLimits },
        downloads: cloudDownloads(downloads, config.kubernetesVersion),
    };
}
