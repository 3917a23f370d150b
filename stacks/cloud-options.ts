import type { AwsConfig, DigitalOceanConfig } from "./config";
import { etcdSnapshots } from "./etcd-snapshots";

/** The options of a cluster on a cloud but for downloads: the stack's keys, where options have them. */
export function cloudOptions<T extends AwsConfig | DigitalOceanConfig>(config: T) {
    const { cloud: _, name: __, pools, downloads: ___, ...rest } = config;
    const { podCidr, serviceCidr, podCidr6, serviceCidr6, clusterDomain, kubeProxyMode, ...others } = rest;
    const { keepsConntrackLimits, ...options } = others;
    return {
        ...options,
        ...etcdSnapshots(config),
        workerPools: pools as T["pools"],
        network: { podCidr, serviceCidr, podCidr6, serviceCidr6, clusterDomain, kubeProxyMode, keepsConntrackLimits },
    };
}
