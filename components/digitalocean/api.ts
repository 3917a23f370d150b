import type { Droplet } from "@pulumi/digitalocean/droplet";
import * as pulumi from "@pulumi/pulumi";
import { clusterApiServer } from "../../cluster/api-server";
import type { Cluster } from "../../cluster/model";
import { ports } from "../../cluster/network/ports";
import { createApiName } from "./dns";
import { createLoadBalancer } from "./load-balancers";
import type { DigitalOceanNetwork } from "./network";
import type { DigitalOcean } from "./resolve";
import { createControllerFirewall } from "./security";

/** How a cluster's API is reached. */
export interface Api {
    /** By people and by the stack. */
    readonly url: pulumi.Output<string>;
    /** By who brings the first controller what starts the cluster. */
    readonly firstUrl: pulumi.Output<string>;
    /** Beside the controllers' own in the VPC, for its certificate. */
    readonly addresses: readonly pulumi.Output<string>[];
    /** @default - clients come to the controllers themselves */
    readonly loadBalancer?: pulumi.Resource;
    /** Records of its name. */
    readonly names: readonly pulumi.Resource[];
    /** What has to be there before anybody asks for it. */
    readonly way: readonly pulumi.Resource[];
}

export interface ApiArgs {
    readonly cluster: Cluster;
    readonly digitalOcean: DigitalOcean;
    readonly network: DigitalOceanNetwork;
    readonly controllers: readonly Droplet[];
    /** Every droplet of the cluster. */
    readonly droplets: readonly Droplet[];
    /** Records of the API's name. @default none: it has a load balancer */
    readonly controllersName: readonly pulumi.Resource[];
}

/** A load balancer with a name, or the controllers' own one; and who may come by it. */
export function createApi(args: ApiArgs, opts: pulumi.CustomResourceOptions): Api {
    return args.cluster.hasApiLoadBalancer ? balanced(args, opts) : unbalanced(args, opts);
}

function balanced(args: ApiArgs, opts: pulumi.CustomResourceOptions): Api {
    const { cluster, digitalOcean, network, controllers, droplets } = args;
    const loadBalancer = createLoadBalancer(cluster.name, digitalOcean, network, { controllers, all: droplets }, opts);
    const wayIn = createControllerFirewall(cluster.name, network, { loadBalancer: loadBalancer.id }, opts);
    const name = createApiName(cluster, loadBalancer.ip, opts);
    // By address: a name that was looked for too early is remembered as missing.
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
 * By name, which stays when a controller made anew has another address. Who brings what starts the cluster comes by address
 * all the same: then nobody here asks for the name before it has been there for minutes.
 */
function unbalanced(args: ApiArgs, opts: pulumi.CustomResourceOptions): Api {
    const { cluster, digitalOcean, network, controllers, droplets, controllersName: names } = args;
    const clients = { addresses: apiClients(digitalOcean, droplets) };
    const wayIn = createControllerFirewall(cluster.name, network, clients, opts);
    const url = pulumi.output(clusterApiServer(cluster));
    return { url, firstUrl: urlOf(controllers[0]!.ipv4Address), addresses: [], names, way: [...names, wayIn] };
}

/** Nodes among them, which come by their public addresses: whether their tag stands for those too is not documented. */
function apiClients({ apiAllowedCidrs, hasIpv6 }: DigitalOcean, droplets: readonly Droplet[]): pulumi.Input<string>[] {
    if (!apiAllowedCidrs) return ["0.0.0.0/0", ...(hasIpv6 ? ["::/0"] : [])];
    return [...apiAllowedCidrs, ...droplets.map(({ ipv4Address }) => ipv4Address)];
}

function urlOf(address: pulumi.Output<string>): pulumi.Output<string> {
    return pulumi.interpolate`https://${address}:${ports.kubeApiserver}`;
}
