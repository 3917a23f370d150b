import { SecurityGroup } from "@pulumi/aws/ec2/securityGroup";
import { SecurityGroupEgressRule } from "@pulumi/aws/vpc/securityGroupEgressRule";
import { SecurityGroupIngressRule } from "@pulumi/aws/vpc/securityGroupIngressRule";
import * as pulumi from "@pulumi/pulumi";
import type { Ingress } from "../cluster/ingress";
import { mustStay } from "../must-stay";
import type { AwsNetwork } from "./network";
import type { Aws } from "./resolve";
import { warnOfManyRules } from "./rule-quota";
import { type Extras, type Group, inbound, outbound, type Rule, type Rules } from "./security-rules";
import { type Tags, withoutClusterTag } from "./tags";

export interface AwsSecurity {
    readonly groups: Readonly<Record<Exclude<Group, "endpoints">, SecurityGroup>> & {
        readonly endpoints?: SecurityGroup;
    };
    /** What has to be there before an instance boots: without it nothing gets out. */
    readonly rules: readonly pulumi.Resource[];
}

/** Blocks that may reach a port of the load balancer, by what their rules' names end with. */
export type Clients = Readonly<Record<string, Block>>;

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

export interface SecurityArgs extends Extras {
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
