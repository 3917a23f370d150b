import { DnsRecord } from "@pulumi/digitalocean/dnsRecord";
import type * as pulumi from "@pulumi/pulumi";
import { ingressName } from "../cluster/ingress";
import type { Cluster } from "../cluster/model";

/** Seconds for which a resolver may remember an address: a load balancer made anew is found soon. */
const ttl = 60;

/** The API's name, by which nodes find it. */
export function createApiName(
    cluster: Cluster,
    address: pulumi.Input<string>,
    opts: pulumi.CustomResourceOptions,
): DnsRecord {
    return createName(`${cluster.name}-api`, cluster, { name: cluster.apiName, address }, opts);
}

/** The name for people's own names to point to. */
export function createIngressName(
    cluster: Cluster,
    address: pulumi.Input<string>,
    opts: pulumi.CustomResourceOptions,
): DnsRecord {
    return createName(`${cluster.name}-ingress`, cluster, { name: ingressName(cluster), address }, opts);
}

function createName(
    resource: string,
    { name: cluster, zone }: Cluster,
    { name, address }: { readonly name: string; readonly address: pulumi.Input<string> },
    opts: pulumi.CustomResourceOptions,
): DnsRecord {
    const domain = zone.slice(cluster.length + 1);
    const record = { domain, type: "A", name: name.slice(0, -domain.length - 1), value: address, ttl };
    return new DnsRecord(resource, record, opts);
}
