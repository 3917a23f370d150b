import { DnsRecord } from "@pulumi/digitalocean/dnsRecord";
import type { Droplet } from "@pulumi/digitalocean/droplet";
import type * as pulumi from "@pulumi/pulumi";
import { ingressName } from "../cluster/ingress";
import type { Cluster } from "../cluster/model";

/** Seconds for which a resolver may remember an address: a load balancer made anew is found soon. */
const balancerTtl = 60;

/** The least that DigitalOcean takes: a controller that is gone is asked for that long. */
const controllerTtl = 30;

/** The API's name, by which nodes find it. */
export function createApiName(
    cluster: Cluster,
    address: pulumi.Input<string>,
    opts: pulumi.CustomResourceOptions,
): DnsRecord {
    return createName(`${cluster.name}-api`, cluster, { name: cluster.apiName, address }, opts);
}

/** The same where no load balancer is: the addresses of all controllers by which the internet comes, and nodes too. */
export function createControllersName(
    cluster: Cluster,
    controllers: Readonly<Record<string, Droplet>>,
    opts: pulumi.CustomResourceOptions,
): DnsRecord[] {
    if (cluster.hasApiLoadBalancer) return [];
    return Object.entries(controllers).map(([node, { ipv4Address }]) => {
        const record = { name: cluster.apiName, address: ipv4Address, ttl: controllerTtl };
        return createName(`${node}-api`, cluster, record, opts);
    });
}

/** The name for people's own names to point to. */
export function createIngressName(
    cluster: Cluster,
    address: pulumi.Input<string>,
    opts: pulumi.CustomResourceOptions,
): DnsRecord {
    return createName(`${cluster.name}-ingress`, cluster, { name: ingressName(cluster), address }, opts);
}

interface Address {
    readonly name: string;
    readonly address: pulumi.Input<string>;
    readonly ttl?: number;
}

function createName(
    resource: string,
    { name: cluster, zone }: Cluster,
    { name, address, ttl = balancerTtl }: Address,
    opts: pulumi.CustomResourceOptions,
): DnsRecord {
    const domain = zone.slice(cluster.length + 1);
    const record = { domain, type: "A", name: name.slice(0, -domain.length - 1), value: address, ttl };
    return new DnsRecord(resource, record, opts);
}
