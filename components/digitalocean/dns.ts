import { DnsRecord } from "@pulumi/digitalocean/dnsRecord";
import type * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../cluster/model";

/** Seconds for which a resolver may remember an address: a load balancer made anew is found soon. */
const ttl = 60;

/** The API's name, by which nodes find it. */
export function createDns(
    { name, apiName, zone }: Cluster,
    address: pulumi.Input<string>,
    opts: pulumi.CustomResourceOptions,
): DnsRecord {
    const domain = zone.slice(name.length + 1);
    const record = { domain, type: "A", name: apiName.slice(0, -domain.length - 1), value: address, ttl };
    return new DnsRecord(`${name}-api`, record, opts);
}
