import type { LoadBalancer } from "@pulumi/aws/lb/loadBalancer";
import { getZone } from "@pulumi/aws/route53/getZone";
import { Record } from "@pulumi/aws/route53/record";
import type * as pulumi from "@pulumi/pulumi";
import { ingressName } from "../cluster/ingress";
import type { Cluster } from "../cluster/model";
import { lookUp } from "./look-up";

/** Names of the load balancer, in the operator's public hosted zone: the API's, and that of ingress. */
export function createDns(
    cluster: Cluster,
    { balancer, hasIngress }: { readonly balancer: LoadBalancer; readonly hasIngress: boolean },
    opts: pulumi.CustomResourceOptions,
): Record {
    const { name, apiName, zone } = cluster;
    const domain = zone.slice(name.length + 1);
    const zones = getZone({ name: domain, privateZone: false }, { parent: opts.parent });
    const hosted = lookUp(zones, "domain", "that of a public hosted zone of Route 53", domain);
    const aliases = [{ name: balancer.dnsName, zoneId: balancer.zoneId, evaluateTargetHealth: false }];
    const alias = { zoneId: hosted.zoneId, type: "A", aliases };
    if (hasIngress) {
        new Record(`${name}-ingress`, { ...alias, name: ingressName(cluster) }, opts);
    }
    return new Record(`${name}-api`, { ...alias, name: apiName }, opts);
}
