import type { LoadBalancer } from "@pulumi/aws/lb/loadBalancer";
import { Record } from "@pulumi/aws/route53/record";
import type * as pulumi from "@pulumi/pulumi";
import { ingressName } from "../cluster/ingress";
import type { Cluster } from "../cluster/model";
import type { HostedZone } from "./hosted-zone";

export interface DnsArgs {
    readonly zone: HostedZone;
    readonly balancer: LoadBalancer;
    readonly hasIngress: boolean;
    readonly hasIpv6: boolean;
}

/** Names of the load balancer: the API's, and that of ingress. What has to be there before nodes find the API by it. */
export function createDns(
    cluster: Cluster,
    { zone, balancer, hasIngress, hasIpv6 }: DnsArgs,
    opts: pulumi.CustomResourceOptions,
): pulumi.Resource[] {
    const { name, apiName } = cluster;
    const aliases = [{ name: balancer.dnsName, zoneId: balancer.zoneId, evaluateTargetHealth: false }];
    const create = (resource: string, dnsName: string) =>
        [{ suffix: "", type: "A" }, ...(hasIpv6 ? [{ suffix: "-ipv6", type: "AAAA" }] : [])].map(
            ({ suffix, type }) =>
                new Record(`${resource}${suffix}`, { zoneId: zone.id, type, aliases, name: dnsName }, opts),
        );
    if (hasIngress) create(`${name}-ingress`, ingressName(cluster));
    return [...create(`${name}-api`, apiName), ...zone.isSeen];
}
