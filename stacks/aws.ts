import * as pulumi from "@pulumi/pulumi";
import { AwsCluster } from "../components/aws/cluster";
import { cloudDownloads } from "./cloud-downloads";
import { readAwsConfig } from "./config";
import { etcdSnapshots } from "./etcd-snapshots";
import { userErrors } from "./user-errors";

/** The `aws` stack: a cluster on AWS. */
export function aws(): Record<string, pulumi.Input<unknown>> {
    const config = readAwsConfig();
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
            new AwsCluster(pulumi.getStack(), {
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
