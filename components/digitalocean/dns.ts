import { local } from "@pulumi/command";
import { DnsRecord } from "@pulumi/digitalocean/dnsRecord";
import type { Droplet } from "@pulumi/digitalocean/droplet";
import type * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../../cluster/model";
import { ingressName } from "../../cluster/network/ingress";
import type { DigitalOcean } from "./resolve";

/** Seconds that a resolver may cache an address: short, so that a replaced load balancer is found soon. */
const balancerTtl = 60;

/** DigitalOcean's minimum: clients may try a removed controller for that long. */
const controllerTtl = 30;

/** The API's name, which nodes resolve. */
export function createApiName(
    cluster: Cluster,
    address: pulumi.Input<string>,
    opts: pulumi.CustomResourceOptions,
): DnsRecord {
    return createName(`${cluster.name}-api`, cluster, { name: cluster.apiName, address }, opts);
}

/** The same without a load balancer: the public addresses of all controllers, for users and nodes. */
export function createControllersName(
    cluster: Cluster,
    { ipv6: hasIpv6, apiAllowedCidrs }: Pick<DigitalOcean, "ipv6" | "apiAllowedCidrs">,
    controllers: Readonly<Record<string, Droplet>>,
    { parent, deletedWith }: { readonly parent: pulumi.Resource; readonly deletedWith: pulumi.Resource },
): DnsRecord[] {
    if (cluster.apiLoadBalancer) return [];
    const common = { name: cluster.apiName, ttl: controllerTtl };
    return Object.entries(controllers).flatMap(([node, droplet]) => {
        const dependsOn = untilForgotten(node, droplet, controllerTtl, { parent, deletedWith });
        const create = (resource: string, address: Pick<Address, "type" | "address">) =>
            createName(resource, cluster, { ...common, ...address }, { parent, dependsOn });
        return [
            create(`${node}-api`, { address: droplet.ipv4Address }),
            // Allowed clients are IPv4 blocks, so nothing could connect over IPv6.
            ...(hasIpv6 && !apiAllowedCidrs
                ? [create(`${node}-api-ipv6`, { type: "AAAA", address: droplet.ipv6Address })]
                : []),
        ];
    });
}

/** The name that users' own names point to. */
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
 * Dependency of a controller's record: a removed controller keeps its droplet until no resolver caches the record.
 *
 * Pulumi deletes the record first, then this, then the droplet. Until then the droplet refuses connections at once, and
 * clients try the next address; with the droplet deleted they would wait for a timeout. If the whole cluster is
 * destroyed, there is no wait.
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
