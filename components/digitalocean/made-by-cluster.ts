import * as pulumi from "@pulumi/pulumi";
import { digitalOceanVolumeDriver } from "../addons/digitalocean-csi-driver";
import type { MadeByCluster } from "../clean-up";
import type { Cluster } from "../cluster/model";
import type { DigitalOceanNetwork } from "./network";
import type { DigitalOcean } from "./resolve";

/** What the cluster's own controllers make in DigitalOcean. @default undefined without any of them */
export function madeInDigitalOcean(
    cluster: Cluster,
    { hasCloudController, hasCsiDriver }: DigitalOcean,
    { vpc }: DigitalOceanNetwork,
    after: readonly pulumi.Resource[],
): MadeByCluster | undefined {
    if (!hasCloudController && !hasCsiDriver) return undefined;
    return {
        hasLoadBalancers: hasCloudController,
        drivers: hasCsiDriver ? [digitalOceanVolumeDriver] : [],
        findByHand: pulumi.output(vpc.id).apply((id) => findInDigitalOcean(cluster.name, id)),
        cloud: pulumi.output(vpc.id).apply((vpcId) => ({
            kind: "digitalocean" as const,
            vpcId,
            tag: cluster.name,
            ownLoadBalancers: [`${cluster.name}-api`, `${cluster.name}-ingress`],
            volumePrefix: "pvc-",
        })),
        after,
    };
}

/** Commands of doctl that find what is in the cluster's VPC or has its tag, and delete it. */
export function findInDigitalOcean(cluster: string, vpcId: string): string[] {
    return [
        `doctl compute load-balancer list --no-header --format ID,Name,IP,VPCUUID | grep ${vpcId}    # but ${cluster}-api and ${cluster}-ingress`,
        "doctl compute load-balancer delete ID",
        `doctl compute volume list --no-header --format ID,Name,Tags | grep -E ' pvc-.*[ ,]${cluster}(,|$)'    # those that were to be retained are among them`,
        "doctl compute volume delete ID",
    ];
}
