import type { Droplet } from "@pulumi/digitalocean/droplet";
import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../../cluster/model";
import { clusterApiServer, ports } from "../../cluster/network/ports";
import { createApiName } from "./dns";
import { createLoadBalancer } from "./load-balancers";
import type { DigitalOceanNetwork } from "./network";
import type { DigitalOcean } from "./resolve";
import { createControllerFirewall } from "./security";

/** How a cluster's API is reached. */
export interface Api {
    /** For users and the stack. */
    readonly url: pulumi.Output<string>;
    /** For delivering the bootstrap assets to the first controller. */
    readonly firstUrl: pulumi.Output<string>;
    /** Additional addresses for its certificate, in addition to the controllers' own in the VPC. */
    readonly addresses: readonly pulumi.Output<string>[];
    /** @default - clients connect to the controllers */
    readonly loadBalancer?: pulumi.Resource;
    /** DNS records of its name. */
    readonly names: readonly pulumi.Resource[];
    /** What must exist before a client can connect. */
    readonly way: readonly pulumi.Resource[];
}

export interface ApiArgs {
    readonly cluster: Cluster;
    readonly digitalOcean: DigitalOcean;
    readonly network: DigitalOceanNetwork;
    readonly controllers: readonly Droplet[];
    /** All droplets of the cluster. */
    readonly droplets: readonly Droplet[];
    /** Records of the API's name. @default none: it has a load balancer */
    readonly controllersName: readonly pulumi.Resource[];
}

/** A load balancer with a name, or the controllers' name, and the allowed clients. */
export function createApi(args: ApiArgs, opts: pulumi.CustomResourceOptions): Api {
    return args.cluster.apiLoadBalancer ? balanced(args, opts) : unbalanced(args, opts);
}

function balanced(args: ApiArgs, opts: pulumi.CustomResourceOptions): Api {
    const { cluster, digitalOcean, network, controllers, droplets } = args;
    const loadBalancer = createLoadBalancer(cluster.name, digitalOcean, network, { controllers, all: droplets }, opts);
    const wayIn = createControllerFirewall(cluster.name, network, { loadBalancer: loadBalancer.id }, opts);
    const name = createApiName(cluster, loadBalancer.ip, opts);
    // By address: resolvers cache a negative answer.
    const url = urlOf(loadBalancer.ip);
    return {
        url,
        firstUrl: url,
        addresses: [loadBalancer.ip],
        loadBalancer,
        names: [name],
        way: [loadBalancer, wayIn],
    };
}

/**
 * By name, which stays the same when a replaced controller has another address. The bootstrap assets are still
 * delivered by address, so that this machine does not look up the name until the record has existed for minutes.
 */
function unbalanced(args: ApiArgs, opts: pulumi.CustomResourceOptions): Api {
    const { cluster, digitalOcean, network, controllers, droplets, controllersName: names } = args;
    const clients = { addresses: apiClients(digitalOcean, droplets) };
    const wayIn = createControllerFirewall(cluster.name, network, clients, opts);
    const url = pulumi.output(clusterApiServer(cluster));
    return { url, firstUrl: urlOf(controllers[0]!.ipv4Address), addresses: [], names, way: [...names, wayIn] };
}

/** Including nodes, which connect from their public addresses: it is not documented whether a tag covers these. */
function apiClients({ apiAllowedCidrs, ipv6 }: DigitalOcean, droplets: readonly Droplet[]): pulumi.Input<string>[] {
    if (!apiAllowedCidrs) return ["0.0.0.0/0", ...(ipv6 ? ["::/0"] : [])];
    return [...apiAllowedCidrs, ...droplets.map(({ ipv4Address }) => ipv4Address)];
}

function urlOf(address: pulumi.Output<string>): pulumi.Output<string> {
    return pulumi.interpolate`https://${address}:${ports.kubeApiserver}`;
}
