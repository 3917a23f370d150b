import type { types } from "@pulumi/digitalocean";
import { Firewall, type FirewallArgs } from "@pulumi/digitalocean/firewall";
import type { Tag } from "@pulumi/digitalocean/tag";
import type * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../../cluster/model";
import { type Ingress, workerPorts } from "../../cluster/network/ingress";
import { nodePorts, ports } from "../../cluster/network/ports";
import { inboundOf, roles } from "./firewall-rules";
import type { DigitalOceanNetwork } from "./network";
import type { DigitalOcean } from "./resolve";

/**
 * Allows the traffic between nodes to every node, and nothing else.
 *
 * Created before the droplets: a droplet without a firewall is open to everyone.
 */
export function createNodeFirewall(
    name: string,
    { nodeTag }: DigitalOceanNetwork,
    { metrics, network }: Pick<Cluster, "metrics" | "network">,
    opts: pulumi.CustomResourceOptions,
): Firewall {
    const rules = nodeRules({ nodes: nodeTag.name }, { metrics, bgp: network.cni === "kube-router" });
    return createFirewall(`${name}-nodes`, nodeTag, rules, opts);
}

/** Allows clients to controllers. Created after the load balancer or the nodes, whose ids or addresses it contains. */
export function createControllerFirewall(
    name: string,
    { nodeTag, controllerTag }: DigitalOceanNetwork,
    api: Clients,
    opts: pulumi.CustomResourceOptions,
): Firewall {
    const peers = { nodes: nodeTag.name, controllers: controllerTag.name, api };
    return createFirewall(`${name}-controllers`, controllerTag, controllerRules(peers), opts);
}

/** Allows ingress traffic to workers. */
export function createIngressFirewall(
    name: string,
    tag: Tag,
    rules: FirewallArgs["inboundRules"],
    opts: pulumi.CustomResourceOptions,
): Firewall {
    return createFirewall(`${name}-ingress`, tag, rules, opts);
}

/** Allows what the user's rules do, by role. */
export function createOwnFirewalls(
    name: string,
    { firewallRules }: DigitalOcean,
    { nodeTag, controllerTag, workerTag }: DigitalOceanNetwork,
    opts: pulumi.CustomResourceOptions,
): void {
    const tags = { all: nodeTag, controllers: controllerTag, workers: workerTag };
    for (const role of roles) {
        const rules = inboundOf(firewallRules, role, nodeTag.name);
        if (rules.length > 0) createFirewall(`${name}-rules-${role}`, tags[role]!, rules, opts);
    }
}

/** Allows traffic from load balancers of Services to every node, if the cloud controller creates them. */
export function createServiceFirewall(
    name: string,
    { cloudController, vpcCidr }: DigitalOcean,
    { nodeTag }: DigitalOceanNetwork,
    opts: pulumi.CustomResourceOptions,
): void {
    if (cloudController) createFirewall(`${name}-services`, nodeTag, serviceRules(vpcCidr.text), opts);
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

/** Sources of inbound rules. */
interface Peers {
    /** Tag of every node. */
    readonly nodes: pulumi.Input<string>;
    /** Tag of the controllers. */
    readonly controllers: pulumi.Input<string>;
    readonly api: Clients;
}

/** Clients of machines: a load balancer by id, or clients by addresses and blocks. */
type Clients =
    | { readonly loadBalancer: pulumi.Input<string> }
    | { readonly addresses: readonly pulumi.Input<string>[] };

function sourcesOf(from: Clients): Pick<Inbound, "sourceAddresses" | "sourceLoadBalancerUids"> {
    if ("addresses" in from) return { sourceAddresses: [...from.addresses] };
    return { sourceLoadBalancerUids: [from.loadBalancer] };
}

/** Inbound rules of every node: pods of other nodes, clients of kubelets, scrapers of metrics, and peers of routers. */
export function nodeRules({ nodes }: Pick<Peers, "nodes">, { metrics = false, bgp = false } = {}): Inbound[] {
    return [
        { protocol: "udp", portRange: String(ports.flannelVxlan), sourceTags: [nodes] },
        { protocol: "tcp", portRange: String(ports.kubelet), sourceTags: [nodes] },
        ...(metrics ? [{ protocol: "tcp", portRange: String(ports.metricsProxy), sourceTags: [nodes] }] : []),
        ...(bgp ? [{ protocol: "tcp", portRange: String(ports.bgp), sourceTags: [nodes] }] : []),
        // Path MTU discovery, and ping for troubleshooting.
        { protocol: "icmp", sourceTags: [nodes] },
    ];
}

/** Additional inbound rules of controllers: clients of the API, and clients and peers of etcd. */
export function controllerRules({ nodes, controllers, api }: Peers): Inbound[] {
    return [
        {
            protocol: "tcp",
            portRange: String(ports.kubeApiserver),
            sourceTags: [nodes],
            ...sourcesOf(api),
        },
        { protocol: "tcp", portRange: `${ports.etcdClient}-${ports.etcdPeer}`, sourceTags: [controllers] },
    ];
}

/**
 * Additional inbound rules of workers with ingress: health checks and traffic of the load balancer, or else traffic of
 * clients.
 */
export function ingressRules(ingress: Ingress, from: Clients): Inbound[] {
    const open = "addresses" in from ? [...new Set([ingress.http, ingress.https])] : workerPorts(ingress);
    return open.map((port) => ({ protocol: "tcp", portRange: String(port), ...sourcesOf(from) }));
}

/**
 * Inbound rules of every node from its own VPC, which contains the load balancers of Services: node ports and
 * kube-proxy's health.
 *
 * Their ids are not known in advance.
 */
export function serviceRules(vpcCidr: string): Inbound[] {
    const portRange = nodePorts.join("-");
    return [
        { protocol: "tcp", portRange, sourceAddresses: [vpcCidr] },
        { protocol: "udp", portRange, sourceAddresses: [vpcCidr] },
        { protocol: "tcp", portRange: String(ports.kubeProxyHealthz), sourceAddresses: [vpcCidr] },
    ];
}

/** Allows all outbound traffic. A firewall without such rules blocks it. */
export function outboundRules(): Outbound[] {
    const everywhere = { destinationAddresses: ["0.0.0.0/0", "::/0"] };
    return [
        { protocol: "tcp", portRange: "1-65535", ...everywhere },
        { protocol: "udp", portRange: "1-65535", ...everywhere },
        { protocol: "icmp", ...everywhere },
    ];
}
