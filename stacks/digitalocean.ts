import * as pulumi from "@pulumi/pulumi";
import { DigitalOceanCluster } from "../components/digitalocean/cluster";
import { cloudDownloads } from "./cloud-downloads";
import { readDigitalOceanConfig } from "./config";
import { etcdSnapshots } from "./etcd-snapshots";
import { userErrors } from "./user-errors";

/** The `digitalocean` stack: a cluster on DigitalOcean. */
export function digitalocean(): Record<string, pulumi.Input<unknown>> {
    const config = readDigitalOceanConfig();
    const {
        cloud: _,
        pools,
        podCidr,
        serviceCidr,
        clusterDomain,
        kubeProxyMode,
        keepsConntrackLimits,
        ...rest
    } = config;
    const { downloads, ...options } = rest;
    const cluster = userErrors(
        () =>
            new DigitalOceanCluster(pulumi.getStack(), {
                ...options,
                ...etcdSnapshots(config),
                workerPools: pools,
                network: { podCidr, serviceCidr, clusterDomain, kubeProxyMode, keepsConntrackLimits },
                downloads: cloudDownloads(downloads, config.kubernetesVersion),
            }),
    );
    const { kubeconfig, apiUrl, ca, nodes, certificateExpiry } = cluster;
    return { kubeconfig, apiUrl, ca, nodes, kubernetesVersion: cluster.kubernetesVersion, certificateExpiry };
}
