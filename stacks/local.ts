import type * as pulumi from "@pulumi/pulumi";
import { LocalCluster } from "../components/local/cluster";
import { requireAnswer } from "../components/upgrade/api-away";
import { userErrors } from "./check-config";
import { clusterOutputs, etcdSnapshots } from "./cloud-options";
import { readLocalConfig } from "./config";
import { localDownloads } from "./downloads";

/** Program of a `local` stack: a cluster on your machine. */
export function local(name: string): Record<string, pulumi.Input<unknown>> {
    const config = readLocalConfig();
    const { domain, kubernetesVersion, controllers, pools, components, os, osLike } = config;
    // Set by a drill that destroyed the controllers.
    if (process.env.TRADEWIND_WITHOUT_API === "true") requireAnswer(false);
    const cluster = userErrors(
        () =>
            new LocalCluster(name, {
                domain,
                kubernetesVersion,
                etcdVersion: config.etcdVersion,
                controllers,
                workerPools: pools,
                components,
                rolloutTimeout: config.rolloutTimeout,
                upgradeOverrides: config.upgradeOverrides,
                certificates: config.certificates,
                keys: config.keys,
                osReboots: config.osReboots,
                selfHosted: config.selfHosted,
                ...etcdSnapshots(config),
                os,
                osLike,
                network: {
                    podCidr: config.podCidr,
                    serviceCidr: config.serviceCidr,
                    podCidr6: config.podCidr6,
                    serviceCidr6: config.serviceCidr6,
                    clusterDomain: config.clusterDomain,
                    kubeProxyMode: config.kubeProxyMode,
                    keepConntrackLimits: config.keepConntrackLimits,
                },
                machineCidr: config.machineSubnet,
                downloads: localDownloads(name, {
                    domain,
                    kubernetesVersion,
                    otherKubelets: config.otherKubelets,
                    ...config.downloads,
                }),
            }),
    );
    return clusterOutputs(cluster);
}
