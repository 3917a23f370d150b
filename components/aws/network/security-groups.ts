import { SecurityGroup } from "@pulumi/aws/ec2/securityGroup";
import { SecurityGroupEgressRule } from "@pulumi/aws/vpc/securityGroupEgressRule";
import { SecurityGroupIngressRule } from "@pulumi/aws/vpc/securityGroupIngressRule";
import * as pulumi from "@pulumi/pulumi";
import { type Ingress, ingressPorts, workerPorts } from "../../../cluster/network/ingress";
import { ports } from "../../../cluster/network/ports";
import { mustStay } from "../../pulumi/errors";
import type { Aws, AwsNetwork } from "../model";
import { type Tags, withoutClusterTag } from "../tags";

export interface AwsSecurity {
    readonly groups: Readonly<Record<Exclude<Group, "endpoints">, SecurityGroup>> & {
        readonly endpoints?: SecurityGroup;
    };
    /** What has to be there before an instance boots: without it nothing gets out. */
    readonly rules: readonly pulumi.Resource[];
}

/** Blocks that may reach a port of the load balancer, by what their rules' names end with. */
type Clients = Readonly<Record<string, Block>>;

type Block = { readonly cidrIpv4: pulumi.Input<string> } | { readonly cidrIpv6: pulumi.Input<string> };

/** By IPv6 only where the cluster has it. */
function everybody(hasIpv6: boolean): Clients {
    return { "": { cidrIpv4: "0.0.0.0/0" }, ...(hasIpv6 && { "-ipv6": { cidrIpv6: "::/0" } }) };
}

/** Everybody, or those who may, and nodes: by the addresses of their NAT gateways, or within the VPC by their own. */
export function apiClientsOf(
    {
        apiAllowedCidrs,
        apiAccess,
        vpcCidr,
        hasIpv6,
    }: Pick<Aws, "apiAllowedCidrs" | "apiAccess" | "vpcCidr" | "hasIpv6">,
    { natGateways, vpc }: Pick<AwsNetwork, "natGateways" | "vpc">,
): Clients {
    // By IPv6 nodes come from their own addresses, wherever the load balancer is.
    const byIpv6 = hasIpv6 && { "-vpc-ipv6": { cidrIpv6: vpc.ipv6CidrBlock } };
    if (apiAccess === "internal") {
        const others = apiAllowedCidrs?.filter((cidr) => cidr !== vpcCidr.text) ?? [];
        return { "-vpc": { cidrIpv4: vpcCidr.text }, ...byIpv6, ...clientsOf(others) };
    }
    if (!apiAllowedCidrs) {
        return everybody(hasIpv6);
    }
    const nats = Object.entries(natGateways).map(([zone, { publicIp }]) => [
        `-nat-${zone}`,
        { cidrIpv4: publicIp.apply((address) => `${address}/32`) },
    ]);
    return { ...clientsOf(apiAllowedCidrs), ...byIpv6, ...Object.fromEntries(nats) };
}

function clientsOf(cidrs: readonly string[]): Clients {
    return Object.fromEntries(cidrs.map((cidr) => [`-${cidr.replaceAll(/[./]/g, "-")}`, { cidrIpv4: cidr }]));
}

interface SecurityArgs extends Extras {
    readonly apiClients: Clients;
    readonly ingress?: Ingress;
    /** @default false */
    readonly hasCloudController?: boolean;
}

/** Lets into instances and the load balancer what the cluster needs, and nothing else. */
export function createSecurity(
    name: string,
    vpcId: pulumi.Input<string>,
    { apiClients, ingress, hasCloudController = false, hasEndpoints = false, hasIpv6 = false }: SecurityArgs,
    tags: Tags,
    opts: pulumi.CustomResourceOptions,
): AwsSecurity {
    // The cloud controller opens to load balancers the one group of an instance that has the cluster's tag, and refuses
    // to choose of two.
    const tagsOf = (group: Group) => {
        const all = tags(`${name}-${group}`);
        return hasCloudController && group === "nodes" ? withoutClusterTag(name, all) : all;
    };
    const create = (group: Group, description: string) =>
        new SecurityGroup(
            `${name}-${group}`,
            { name: `${name}-${group}`, description, vpcId, tags: tagsOf(group) },
            { ...opts, ignoreChanges: ["vpcId"] },
        );
    const groups = {
        "load-balancer": create("load-balancer", "The load balancer of the Kubernetes API"),
        nodes: create("nodes", "Every node of the cluster"),
        controllers: create("controllers", "Its controllers"),
        workers: create("workers", "Its workers"),
        ...(hasEndpoints && { endpoints: create("endpoints", "Endpoints of AWS services") }),
    };
    mustBeIn(groups.nodes, vpcId);
    const groupOf = (group: Group) => groups[group]!;
    const peersOf = ({ peer }: Rule): [suffix: string, peer: object][] => {
        switch (peer) {
            case "everybody":
                return Object.entries(everybody(hasIpv6));
            case "api-clients":
                return Object.entries(apiClients);
            case "ingress-clients":
                return Object.entries(ingress?.allowedCidrs ? clientsOf(ingress.allowedCidrs) : everybody(hasIpv6));
            default:
                return [["", { referencedSecurityGroupId: groupOf(peer).id }]];
        }
    };
    const argsOf = (group: Group, { protocol, ports }: Rule) => ({
        securityGroupId: groupOf(group).id,
        ipProtocol: protocol === "all" ? "-1" : protocol,
        ...portsOf({ protocol, ports }),
    });
    const rules = (all: Rules, Type: typeof SecurityGroupIngressRule | typeof SecurityGroupEgressRule) =>
        Object.entries(all).flatMap(([group, byName]) => {
            const each = Object.entries(byName).flatMap(([what, rule]) =>
                peersOf(rule).map(([suffix, peer]) => ({ what, rule, suffix, peer })),
            );
            warnOfManyRules(
                `${name}-${group}`,
                each.map(({ peer }) => peer),
                opts.parent,
            );
            return each.map(({ what, rule, suffix, peer }) => {
                const resource = `${name}-${group}-${what}${suffix}`;
                return new Type(resource, { ...argsOf(group as Group, rule), ...peer, tags: tags(resource) }, opts);
            });
        });
    return {
        groups,
        rules: [
            ...rules(inbound(ingress, { hasEndpoints, hasIpv6 }), SecurityGroupIngressRule),
            ...rules(outbound(ingress), SecurityGroupEgressRule),
        ],
    };
}

/** A group stays in its VPC, and so does the cluster. A VPC that is yet to be made is refused when it is there. */
function mustBeIn({ vpcId: there }: SecurityGroup, vpcId: pulumi.Input<string>): void {
    pulumi.output(vpcId).apply((wanted) => mustStay("vpcId", wanted, there));
}

/** As EC2 wants them: ICMP has types in the place of ports, of which -1 is each. */
function portsOf({ protocol, ports }: Pick<Rule, "protocol" | "ports">): { fromPort?: number; toPort?: number } {
    if (protocol === "all") {
        return {};
    }
    const [fromPort, toPort] = ports ?? [-1, -1];
    return { fromPort, toPort };
}

/** Rules of one direction and one kind of address that a group has, unless the account's quota was raised. */
const quota = 60;

/**
 * Warns of more rules than EC2 takes of an account that did not ask for more. A peer that is a group counts as one of IPv4
 * and one of IPv6. Source: "Amazon VPC quotas".
 */
export function warnOfManyRules(group: string, peers: readonly object[], parent: pulumi.Resource | undefined): void {
    const most = Math.max(...["cidrIpv4", "cidrIpv6"].map((other) => peers.filter((peer) => !(other in peer)).length));
    if (most <= quota) return;
    const what = `the security group ${group} has ${most} rules, and an account's quota is ${quota} unless it was raised`;
    pulumi.log.warn(
        `${what}: give fewer, wider blocks, or have "Inbound or outbound rules per security group" raised`,
        parent,
    );
}

/** The security groups: every node is in `nodes`, and beside it in `controllers` or `workers`. Not every cluster has `endpoints`. */
export type Group = "load-balancer" | "nodes" | "controllers" | "workers" | "endpoints";

/** What a group lets in or out. */
interface Rule {
    readonly protocol: "tcp" | "udp" | "icmp" | "icmpv6" | "all";
    /** First and last port; none with `icmp`, `icmpv6` and `all`, which have all of theirs. */
    readonly ports?: readonly [first: number, last: number];
    readonly peer: Group | "everybody" | "api-clients" | "ingress-clients";
}

/** The rules of each group, by names that stay. */
export type Rules = Readonly<Record<Exclude<Group, "endpoints">, GroupRules>> & { readonly endpoints?: GroupRules };
type GroupRules = Readonly<Record<string, Rule>>;

const api = { ...tcp(ports.kubeApiserver), peer: "api-clients" } satisfies Rule;

const letIn = {
    nodes: {
        pods: { protocol: "udp", ports: [ports.flannelVxlan, ports.flannelVxlan], peer: "nodes" },
        kubelet: { ...tcp(ports.kubelet), peer: "nodes" },
        // Path MTU discovery, and people's pings.
        icmp: { protocol: "icmp", peer: "nodes" },
    },
    controllers: {
        "api-of-load-balancer": { ...tcp(ports.kubeApiserver), peer: "load-balancer" },
        // By the service's address, pods reach controllers themselves.
        "api-of-nodes": { ...tcp(ports.kubeApiserver), peer: "nodes" },
        etcd: { ...tcp(ports.etcdClient, ports.etcdPeer), peer: "controllers" },
    },
} satisfies Partial<Rules>;

/** What a cluster has beside, each `false` by default. */
interface Extras {
    /** Services have endpoints with addresses. */
    readonly hasEndpoints?: boolean;
    readonly hasIpv6?: boolean;
}

/** What each group lets in. */
export function inbound(ingress?: Ingress, { hasEndpoints = false, hasIpv6 = false }: Extras = {}): Rules {
    // As that of IPv4, and what finds neighbours.
    const nodes = { ...letIn.nodes, ...(hasIpv6 && { icmpv6: { protocol: "icmpv6", peer: "nodes" } satisfies Rule }) };
    // Each service answers there by HTTPS.
    const endpoints = hasEndpoints && { endpoints: { https: { ...tcp(443), peer: "nodes" } satisfies Rule } };
    if (!ingress) {
        return { "load-balancer": { api }, ...letIn, nodes, workers: {}, ...endpoints };
    }
    const fromClients = (port: number) => ({ ...tcp(port), peer: "ingress-clients" }) satisfies Rule;
    return {
        "load-balancer": { api, http: fromClients(ingressPorts.http), https: fromClients(ingressPorts.https) },
        ...letIn,
        nodes,
        workers: toPorts(ingress, "load-balancer"),
        ...endpoints,
    };
}

/** What each group lets out: endpoints nothing, who answer. */
export function outbound(ingress?: Ingress): Rules {
    const toControllers = { ...tcp(ports.kubeApiserver), peer: "controllers" } satisfies Rule;
    return {
        "load-balancer": { api: toControllers, ...(ingress && toPorts(ingress, "workers")) },
        nodes: { everything: { protocol: "all", peer: "everybody" } },
        controllers: {},
        workers: {},
    };
}

/** What a load balancer and workers let through between them. */
function toPorts(ingress: Ingress, peer: Group): Record<string, Rule> {
    return Object.fromEntries(workerPorts(ingress).map((port) => [`ingress-${port}`, { ...tcp(port), peer }]));
}

function tcp(first: number, last = first): Pick<Rule, "protocol" | "ports"> {
    return { protocol: "tcp", ports: [first, last] };
}
