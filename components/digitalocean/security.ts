import { Firewall, type FirewallArgs } from "@pulumi/digitalocean/firewall";
import type { LoadBalancer } from "@pulumi/digitalocean/loadBalancer";
import type { Tag } from "@pulumi/digitalocean/tag";
import type * as pulumi from "@pulumi/pulumi";
import type { Ingress } from "../cluster/ingress";
import {
    type ApiClients,
    controllerRules,
    ingressRules,
    nodeRules,
    outboundRules,
    serviceRules,
} from "./firewall-rules";
import type { DigitalOceanNetwork } from "./network";
import type { DigitalOcean } from "./resolve";

/**
 * Lets into every node what nodes ask each other, and nothing else.
 *
 * Made before droplets: one that no firewall names is open to everybody.
 */
export function createNodeFirewall(
    name: string,
    { nodeTag }: DigitalOceanNetwork,
    opts: pulumi.CustomResourceOptions,
): Firewall {
    return createFirewall(`${name}-nodes`, nodeTag, nodeRules({ nodes: nodeTag.name }), opts);
}

/** Lets into controllers what they are for. Made after the load balancer, whose id it names, or nodes, whose addresses. */
export function createControllerFirewall(
    name: string,
    { nodeTag, controllerTag }: DigitalOceanNetwork,
    api: ApiClients,
    opts: pulumi.CustomResourceOptions,
): Firewall {
    const peers = { nodes: nodeTag.name, controllers: controllerTag.name, api };
    return createFirewall(`${name}-controllers`, controllerTag, controllerRules(peers), opts);
}

/** Lets into workers what comes by the load balancer of ingress. */
export function createIngressFirewall(
    name: string,
    tag: Tag,
    { ingress, loadBalancer }: { readonly ingress: Ingress; readonly loadBalancer: LoadBalancer },
    opts: pulumi.CustomResourceOptions,
): Firewall {
    return createFirewall(`${name}-ingress`, tag, ingressRules(ingress, loadBalancer.id), opts);
}

/** Lets into every node what comes by load balancers of Services, where a controller in the cluster makes them. */
export function createServiceFirewall(
    name: string,
    { hasCloudController, vpcCidr }: DigitalOcean,
    { nodeTag }: DigitalOceanNetwork,
    opts: pulumi.CustomResourceOptions,
): void {
    if (hasCloudController) createFirewall(`${name}-services`, nodeTag, serviceRules(vpcCidr.text), opts);
}

function createFirewall(
    name: string,
    tag: Tag,
    inboundRules: FirewallArgs["inboundRules"],
    opts: pulumi.CustomResourceOptions,
): Firewall {
    return new Firewall(name, { name, tags: [tag.name], inboundRules, outboundRules: outboundRules() }, opts);
}
