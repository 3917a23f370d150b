import { SecurityGroup } from "@pulumi/aws/ec2/securityGroup";
import { SecurityGroupEgressRule } from "@pulumi/aws/vpc/securityGroupEgressRule";
import { SecurityGroupIngressRule } from "@pulumi/aws/vpc/securityGroupIngressRule";
import * as pulumi from "@pulumi/pulumi";
import { type Ingress, ingressPorts, workerPorts } from "../../../cluster/network/ingress";
import { ports } from "../../../cluster/network/ports";
import { mustStay } from "../../pulumi/errors";
import { log } from "../../pulumi/log";
import type { Aws, AwsNetwork } from "../model";
import { type Tags, withoutClusterTag } from "../tags";

export interface AwsSecurity {
    readonly groups: Readonly<Record<Exclude<Group, OptionalGroup>, SecurityGroup>> &
        Readonly<Partial<Record<OptionalGroup, SecurityGroup>>>;
    /** What must exist before an instance boots: otherwise it has no outbound access. */
    readonly rules: readonly pulumi.Resource[];
}

/** Blocks that may reach a port of the load balancer, by the suffix of their rules' names. */
type Clients = Readonly<Record<string, Block>>;

type Block = { readonly cidrIpv4: pulumi.Input<string> } | { readonly cidrIpv6: pulumi.Input<string> };

/** IPv6 only if the cluster has it. */
function everybody(ipv6: boolean): Clients {
    return { "": { cidrIpv4: "0.0.0.0/0" }, ...(ipv6 && { "-ipv6": { cidrIpv6: "::/0" } }) };
}

/**
 * All addresses or the allowed ones, and nodes: by the addresses of their NAT gateways, or within the VPC by their own.
 */
export function apiClientsOf(
    {
        apiAllowedCidrs,
        apiAccess,
        nodeApiAccess,
        vpcCidr,
        ipv6,
    }: Pick<Aws, "apiAllowedCidrs" | "apiAccess" | "nodeApiAccess" | "vpcCidr" | "ipv6">,
    { natGateways, vpc }: Pick<AwsNetwork, "natGateways" | "vpc">,
): Clients {
    // With IPv6, nodes use their own addresses wherever the load balancer is.
    const byIpv6 = ipv6 && { "-vpc-ipv6": { cidrIpv6: vpc.ipv6CidrBlock } };
    if (apiAccess === "internal") {
        const others = apiAllowedCidrs?.filter((cidr) => cidr !== vpcCidr.text) ?? [];
        return { "-vpc": { cidrIpv4: vpcCidr.text }, ...byIpv6, ...clientsOf(others) };
    }
    if (!apiAllowedCidrs) return everybody(ipv6);
    // The same group is that of the nodes' load balancer, which sees their own addresses.
    if (nodeApiAccess === "internal")
        return {
            "-vpc": { cidrIpv4: vpcCidr.text },
            ...clientsOf(apiAllowedCidrs.filter((cidr) => cidr !== vpcCidr.text)),
        };
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
    readonly cloudController?: boolean;
}

/** Allows the traffic that the cluster needs, and nothing else, to instances and the load balancer. */
export function createSecurity(
    name: string,
    vpcId: pulumi.Input<string>,
    { apiClients, ingress, cloudController = false, ipv6 = false, ...extras }: SecurityArgs,
    tags: Tags,
    opts: pulumi.CustomResourceOptions,
): AwsSecurity {
    // The cloud controller opens the group with the cluster's tag to load balancers, and refuses instances with two
    // such groups. So each has one: that of controllers or of workers.
    const tagsOf = (group: Group) => {
        const all = tags(`${name}-${group}`);
        return cloudController && ["nodes", "candidates"].includes(group) ? withoutClusterTag(name, all) : all;
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
        ...(extras.hasCandidates && { candidates: create("candidates", "Its workers that may become controllers") }),
        ...(extras.hasEndpoints && { endpoints: create("endpoints", "Endpoints of AWS services") }),
    };
    mustBeIn(groups.nodes, vpcId);
    const groupOf = (group: Group) => groups[group]!;
    const peersOf = ({ peer }: Rule): [suffix: string, peer: object][] => {
        switch (peer) {
            case "everybody":
                return Object.entries(everybody(ipv6));
            case "api-clients":
                return Object.entries(apiClients);
            case "ingress-clients":
                return Object.entries(ingress?.allowedCidrs ? clientsOf(ingress.allowedCidrs) : everybody(ipv6));
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
            ...rules(inbound(ingress, { ...extras, ipv6 }), SecurityGroupIngressRule),
            ...rules(outbound(ingress, extras), SecurityGroupEgressRule),
        ],
    };
}

/** A group cannot move to another VPC, nor can the cluster. A VPC that does not exist yet is refused once it does. */
function mustBeIn({ vpcId: there }: SecurityGroup, vpcId: pulumi.Input<string>): void {
    pulumi.output(vpcId).apply((desired) => mustStay("vpcId", desired, there));
}

/** Ports in EC2's form: ICMP has types instead of ports, of which -1 is all. */
function portsOf({ protocol, ports }: Pick<Rule, "protocol" | "ports">): { fromPort?: number; toPort?: number } {
    if (protocol === "all") return {};
    const [fromPort, toPort] = ports ?? [-1, -1];
    return { fromPort, toPort };
}

/** Default quota of rules per group, direction and address family. */
const quota = 60;

/**
 * Warns if a group has more rules than EC2's default quota. A group as a peer counts as one rule for IPv4 and one for
 * IPv6. Source: "Amazon VPC quotas".
 */
export function warnOfManyRules(group: string, peers: readonly object[], parent: pulumi.Resource | undefined): void {
    const most = Math.max(...["cidrIpv4", "cidrIpv6"].map((other) => peers.filter((peer) => !(other in peer)).length));
    if (most <= quota) return;
    const what = `the security group ${group} has ${most} rules, but the default quota of an account is ${quota}`;
    log.warn(
        `${what}: use fewer, larger blocks, or raise the quota "Inbound or outbound rules per security group"`,
        parent,
    );
}

/**
 * The security groups: every node is in `nodes` and in `controllers` or `workers`, and candidates for controllers are in
 * `workers` and `candidates`. Not every cluster has the optional ones.
 */
export type Group = "load-balancer" | "nodes" | "controllers" | "workers" | OptionalGroup;

type OptionalGroup = "candidates" | "endpoints";

/** Traffic that a group allows in or out. */
interface Rule {
    readonly protocol: "tcp" | "udp" | "icmp" | "icmpv6" | "all";
    /** First and last port; none with `icmp`, `icmpv6` and `all`, which cover everything. */
    readonly ports?: readonly [first: number, last: number];
    readonly peer: Group | "everybody" | "api-clients" | "ingress-clients";
}

/** The rules of each group, by stable names. */
export type Rules = Readonly<Record<Exclude<Group, OptionalGroup>, GroupRules>> &
    Readonly<Partial<Record<OptionalGroup, GroupRules>>>;
type GroupRules = Readonly<Record<string, Rule>>;

const api = { ...tcp(ports.kubeApiserver), peer: "api-clients" } satisfies Rule;

const etcd = tcp(ports.etcdClient, ports.etcdPeer);

const letIn = {
    nodes: {
        pods: { protocol: "udp", ports: [ports.flannelVxlan, ports.flannelVxlan], peer: "nodes" },
        kubelet: { ...tcp(ports.kubelet), peer: "nodes" },
        // Path MTU discovery, and ping for troubleshooting.
        icmp: { protocol: "icmp", peer: "nodes" },
    },
    controllers: {
        "api-of-load-balancer": { ...tcp(ports.kubeApiserver), peer: "load-balancer" },
        // Through the service address, pods connect to controllers directly.
        "api-of-nodes": { ...tcp(ports.kubeApiserver), peer: "nodes" },
        etcd: { ...etcd, peer: "controllers" },
    },
} satisfies Partial<Rules>;

/** With candidates, they and the controllers let in the same: any of them may have a member of etcd. */
const mayBeControllers = {
    ...letIn.controllers,
    "etcd-of-candidates": { ...etcd, peer: "candidates" },
} satisfies GroupRules;

/** Optional features of a cluster, each `false` by default. */
interface Extras {
    /** Workers may become controllers. */
    readonly hasCandidates?: boolean;
    /** Services have interface endpoints. */
    readonly hasEndpoints?: boolean;
    readonly ipv6?: boolean;
    readonly metrics?: boolean;
    /** Nodes exchange routes. */
    readonly bgp?: boolean;
}

/** Inbound rules of each group. */
export function inbound(
    ingress?: Ingress,
    { hasCandidates = false, hasEndpoints = false, ipv6 = false, metrics = false, bgp = false }: Extras = {},
): Rules {
    const nodes = {
        ...letIn.nodes,
        // As for IPv4, and neighbor discovery.
        ...(ipv6 && { icmpv6: { protocol: "icmpv6", peer: "nodes" } satisfies Rule }),
        // For scrapers in pods of other nodes.
        ...(metrics && { metrics: { ...tcp(ports.metricsProxy), peer: "nodes" } satisfies Rule }),
        ...(bgp && { bgp: { ...tcp(ports.bgp), peer: "nodes" } satisfies Rule }),
    };
    // Every service listens for HTTPS.
    const endpoints = hasEndpoints && { endpoints: { https: { ...tcp(443), peer: "nodes" } satisfies Rule } };
    const candidates = hasCandidates && { controllers: mayBeControllers, candidates: mayBeControllers };
    const common = { ...letIn, nodes, ...candidates, ...endpoints };
    if (!ingress) return { "load-balancer": { api }, workers: {}, ...common };
    const fromClients = (port: number) => ({ ...tcp(port), peer: "ingress-clients" }) satisfies Rule;
    return {
        "load-balancer": { api, http: fromClients(ingressPorts.http), https: fromClients(ingressPorts.https) },
        workers: toPorts(ingress, "load-balancer"),
        ...common,
    };
}

/** Outbound rules of each group. Endpoints need none because they only respond. */
export function outbound(ingress?: Ingress, { hasCandidates = false }: Pick<Extras, "hasCandidates"> = {}): Rules {
    const apiOf = (peer: Group) => ({ ...tcp(ports.kubeApiserver), peer }) satisfies Rule;
    return {
        "load-balancer": {
            api: apiOf("controllers"),
            ...(hasCandidates && { "api-of-candidates": apiOf("candidates") }),
            ...(ingress && toPorts(ingress, "workers")),
        },
        nodes: { everything: { protocol: "all", peer: "everybody" } },
        controllers: {},
        workers: {},
    };
}

/** Ports open between a load balancer and workers. */
function toPorts(ingress: Ingress, peer: Group): Record<string, Rule> {
    return Object.fromEntries(workerPorts(ingress).map((port) => [`ingress-${port}`, { ...tcp(port), peer }]));
}

function tcp(first: number, last = first): Pick<Rule, "protocol" | "ports"> {
    return { protocol: "tcp", ports: [first, last] };
}
