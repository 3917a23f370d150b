import type { types } from "@pulumi/digitalocean";
import { Firewall, type FirewallArgs } from "@pulumi/digitalocean/firewall";
import type { LoadBalancer } from "@pulumi/digitalocean/loadBalancer";
import type { Tag } from "@pulumi/digitalocean/tag";
import type * as pulumi from "@pulumi/pulumi";
import { type Ingress, workerPorts } from "../../cluster/network/ingress";
import { nodePorts, ports } from "../../cluster/network/ports";
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

type Inbound = types.input.FirewallInboundRule;
type Outbound = types.input.FirewallOutboundRule;

/** Whom rules let in. */
interface Peers {
    /** Tag of every node. */
    readonly nodes: pulumi.Input<string>;
    /** Tag of the controllers. */
    readonly controllers: pulumi.Input<string>;
    readonly api: ApiClients;
}

/** Who comes to controllers for the API: its load balancer, by its id, or clients themselves, by addresses and blocks. */
type ApiClients =
    | { readonly loadBalancer: pulumi.Input<string> }
    | { readonly addresses: readonly pulumi.Input<string>[] };

/** What every node lets in: pods of other nodes, and what asks kubelets. */
export function nodeRules({ nodes }: Pick<Peers, "nodes">): Inbound[] {
    return [
        { protocol: "udp", portRange: String(ports.flannelVxlan), sourceTags: [nodes] },
        { protocol: "tcp", portRange: String(ports.kubelet), sourceTags: [nodes] },
        // Path MTU discovery, and people's pings.
        { protocol: "icmp", sourceTags: [nodes] },
    ];
}

/** What a controller lets in beside: clients of the API, and its etcd's clients and peers. */
export function controllerRules({ nodes, controllers, api }: Peers): Inbound[] {
    return [
        {
            protocol: "tcp",
            portRange: String(ports.kubeApiserver),
            sourceTags: [nodes],
            ...("addresses" in api
                ? { sourceAddresses: [...api.addresses] }
                : { sourceLoadBalancerUids: [api.loadBalancer] }),
        },
        { protocol: "tcp", portRange: `${ports.etcdClient}-${ports.etcdPeer}`, sourceTags: [controllers] },
    ];
}

/** What a worker that takes ingress lets in beside: what its load balancer asks, and sends on. */
export function ingressRules(ingress: Ingress, loadBalancer: pulumi.Input<string>): Inbound[] {
    return workerPorts(ingress).map((port) => ({
        protocol: "tcp",
        portRange: String(port),
        sourceLoadBalancerUids: [loadBalancer],
    }));
}

/**
 * What every node lets in of its own VPC, in which load balancers of Services are: node ports, and whether kube-proxy is well.
 *
 * Nobody knows their ids beforehand.
 */
export function serviceRules(vpcCidr: string): Inbound[] {
    const portRange = nodePorts.join("-");
    return [
        { protocol: "tcp", portRange, sourceAddresses: [vpcCidr] },
        { protocol: "udp", portRange, sourceAddresses: [vpcCidr] },
        { protocol: "tcp", portRange: String(ports.kubeProxyHealthz), sourceAddresses: [vpcCidr] },
    ];
}

/** Everything out. A firewall without such rules lets nothing out. */
export function outboundRules(): Outbound[] {
    const everywhere = { destinationAddresses: ["0.0.0.0/0", "::/0"] };
    return [
        { protocol: "tcp", portRange: "1-65535", ...everywhere },
        { protocol: "udp", portRange: "1-65535", ...everywhere },
        { protocol: "icmp", ...everywhere },
    ];
}
