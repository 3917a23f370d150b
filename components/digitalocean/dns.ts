import { local } from "@pulumi/command";
import { DnsRecord } from "@pulumi/digitalocean/dnsRecord";
import type { Droplet } from "@pulumi/digitalocean/droplet";
import type * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../../cluster/model";
import { ingressName } from "../../cluster/network/ingress";
import type { DigitalOcean } from "./resolve";

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
    { hasIpv6, apiAllowedCidrs }: Pick<DigitalOcean, "hasIpv6" | "apiAllowedCidrs">,
    controllers: Readonly<Record<string, Droplet>>,
    { parent, deletedWith }: { readonly parent: pulumi.Resource; readonly deletedWith: pulumi.Resource },
): DnsRecord[] {
    if (cluster.hasApiLoadBalancer) return [];
    const common = { name: cluster.apiName, ttl: controllerTtl };
    return Object.entries(controllers).flatMap(([node, droplet]) => {
        const dependsOn = untilForgotten(node, droplet, controllerTtl, { parent, deletedWith });
        const create = (resource: string, address: Pick<Address, "type" | "address">) =>
            createName(resource, cluster, { ...common, ...address }, { parent, dependsOn });
        return [
            create(`${node}-api`, { address: droplet.ipv4Address }),
            // Who may reach the API is told by IPv4 blocks: nobody would get in there.
            ...(hasIpv6 && !apiAllowedCidrs
                ? [create(`${node}-api-ipv6`, { type: "AAAA", address: droplet.ipv6Address })]
                : []),
        ];
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
    /** @default "A" */
    readonly type?: "A" | "AAAA";
    readonly address: pulumi.Input<string>;
    readonly ttl?: number;
}

function createName(
    resource: string,
    { name: cluster, zone }: Cluster,
    { name, type = "A", address, ttl = balancerTtl }: Address,
    opts: pulumi.CustomResourceOptions,
): DnsRecord {
    const domain = zone.slice(cluster.length + 1);
    const record = { domain, type, name: name.slice(0, -domain.length - 1), value: address, ttl };
    return new DnsRecord(resource, record, opts);
}

/**
 * What the record of a controller depends on: a controller that leaves keeps its droplet until nobody remembers the record.
 *
 * Pulumi deletes the record first, then this, then the droplet. Until then the droplet refuses at once who comes, and he goes to
 * the next address; he would wait for one that is no more. With the whole cluster nobody waits.
 *
 * @param ttl - of the record. Unit: seconds
 */
function untilForgotten(
    node: string,
    droplet: Droplet,
    ttl: number,
    { deletedWith, ...opts }: pulumi.CustomResourceOptions & { readonly deletedWith: pulumi.Resource },
): pulumi.Resource {
    const wait = { delete: `sleep ${ttl}` };
    return new local.Command(`${node}-api-forgotten`, wait, { ...opts, dependsOn: droplet, deletedWith });
}
