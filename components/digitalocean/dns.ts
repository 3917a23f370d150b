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
    { ipv6, apiAllowedCidrs }: Pick<DigitalOcean, "ipv6" | "apiAllowedCidrs">,
    controllers: Readonly<Record<string, Droplet>>,
    { parent, deletedWith }: { readonly parent: pulumi.Resource; readonly deletedWith: pulumi.Resource },
): DnsRecord[] {
    if (cluster.apiLoadBalancer) return [];
    const common = { name: cluster.apiName, ttl: controllerTtl };
    const addresses = { ...common, ipv6: ipv6 && !apiAllowedCidrs };
    return createNames("api", cluster, addresses, controllers, { parent, deletedWith });
}

/** The ingress name without a load balancer: the public addresses of all workers that receive its traffic. */
export function createWorkersName(
    cluster: Cluster,
    { ipv6, ingress }: Pick<DigitalOcean, "ipv6" | "ingress">,
    workers: Readonly<Record<string, Droplet>>,
    opts: { readonly parent: pulumi.Resource; readonly deletedWith: pulumi.Resource },
): DnsRecord[] {
    const addresses = { name: ingressName(cluster), ttl: controllerTtl, ipv6: ipv6 && !ingress?.allowedCidrs };
    return createNames("ingress", cluster, addresses, workers, opts);
}

/** A record of a name per droplet. Allowed clients are IPv4 blocks: with these, nothing could connect over IPv6. */
function createNames(
    purpose: string,
    cluster: Cluster,
    { ipv6, ...common }: { readonly name: string; readonly ttl: number; readonly ipv6: boolean },
    droplets: Readonly<Record<string, Droplet>>,
    { parent, deletedWith }: { readonly parent: pulumi.Resource; readonly deletedWith: pulumi.Resource },
): DnsRecord[] {
    return Object.entries(droplets).flatMap(([node, droplet]) => {
        const resource = `${node}-${purpose}`;
        const dependsOn = untilForgotten(resource, droplet, common.ttl, { parent, deletedWith });
        const create = (name: string, address: Pick<Address, "type" | "address">) =>
            createName(name, cluster, { ...common, ...address }, { parent, dependsOn });
        return [
            create(resource, { address: droplet.ipv4Address }),
            ...(ipv6 ? [create(`${resource}-ipv6`, { type: "AAAA", address: droplet.ipv6Address })] : []),
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
 * Dependency of a droplet's record: a removed droplet is kept until no resolver caches the record.
 *
 * Pulumi deletes the record first, then this, then the droplet. Until then the droplet refuses connections at once, and
 * clients try the next address; with the droplet deleted they would wait for a timeout. If the whole cluster is
 * destroyed, there is no wait.
 *
 * @param ttl - of the record. Unit: seconds
 */
function untilForgotten(
    record: string,
    droplet: Droplet,
    ttl: number,
    { deletedWith, ...opts }: pulumi.CustomResourceOptions & { readonly deletedWith: pulumi.Resource },
): pulumi.Resource {
    const wait = { delete: `sleep ${ttl}` };
    return new local.Command(`${record}-forgotten`, wait, { ...opts, dependsOn: droplet, deletedWith });
}
