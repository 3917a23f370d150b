import { SecurityGroup } from "@pulumi/aws/ec2/securityGroup";
import { SecurityGroupEgressRule } from "@pulumi/aws/vpc/securityGroupEgressRule";
import { SecurityGroupIngressRule } from "@pulumi/aws/vpc/securityGroupIngressRule";
import type * as pulumi from "@pulumi/pulumi";
import type { Ingress } from "../cluster/ingress";
import type { AwsNetwork } from "./network";
import type { Aws } from "./resolve";
import { type Group, inbound, outbound, type Rule, type Rules } from "./security-rules";
import { type Tags, withoutClusterTag } from "./tags";

export interface AwsSecurity {
    readonly groups: Readonly<Record<Group, SecurityGroup>>;
    /** What has to be there before an instance boots: without it nothing gets out. */
    readonly rules: readonly pulumi.Resource[];
}

/** IPv4 blocks that may reach a port of the load balancer, by what their rules' names end with. */
export type Clients = Readonly<Record<string, pulumi.Input<string>>>;

const everybody = "0.0.0.0/0";

/** Everybody, or those who may, and nodes by the addresses of their NAT gateways. */
export function apiClientsOf({ apiAllowedCidrs }: Aws, { natGateways }: AwsNetwork): Clients {
    if (!apiAllowedCidrs) {
        return { "": everybody };
    }
    const nats = Object.entries(natGateways).map(([zone, { publicIp }]) => [
        `-nat-${zone}`,
        publicIp.apply((address) => `${address}/32`),
    ]);
    return { ...clientsOf(apiAllowedCidrs), ...Object.fromEntries(nats) };
}

/** Those of blocks, or everybody. */
function clientsOf(cidrs: readonly string[] | undefined): Clients {
    return Object.fromEntries(cidrs?.map((cidr) => [`-${cidr.replaceAll(/[./]/g, "-")}`, cidr]) ?? [["", everybody]]);
}

export interface SecurityArgs {
    readonly apiClients: Clients;
    readonly ingress?: Ingress;
    /** @default false */
    readonly hasCloudController?: boolean;
}

/** Lets into instances and the load balancer what the cluster needs, and nothing else. */
export function createSecurity(
    name: string,
    vpcId: pulumi.Input<string>,
    { apiClients, ingress, hasCloudController = false }: SecurityArgs,
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
            opts,
        );
    const groups = {
        "load-balancer": create("load-balancer", "The load balancer of the Kubernetes API"),
        nodes: create("nodes", "Every node of the cluster"),
        controllers: create("controllers", "Its controllers"),
        workers: create("workers", "Its workers"),
    };
    const peersOf = ({ peer }: Rule): [suffix: string, peer: object][] => {
        switch (peer) {
            case "everybody":
                return [["", { cidrIpv4: everybody }]];
            case "api-clients":
                return Object.entries(apiClients).map(([suffix, cidrIpv4]) => [suffix, { cidrIpv4 }]);
            case "ingress-clients":
                return Object.entries(clientsOf(ingress?.allowedCidrs)).map(([suffix, cidrIpv4]) => [
                    suffix,
                    { cidrIpv4 },
                ]);
            default:
                return [["", { referencedSecurityGroupId: groups[peer].id }]];
        }
    };
    const argsOf = (group: Group, { protocol, ports }: Rule) => ({
        securityGroupId: groups[group].id,
        ipProtocol: protocol === "all" ? "-1" : protocol,
        ...portsOf({ protocol, ports }),
    });
    const rules = (all: Rules, Type: typeof SecurityGroupIngressRule | typeof SecurityGroupEgressRule) =>
        Object.entries(all).flatMap(([group, byName]) =>
            Object.entries(byName).flatMap(([what, rule]) =>
                peersOf(rule).map(([suffix, peer]) => {
                    const resource = `${name}-${group}-${what}${suffix}`;
                    return new Type(resource, { ...argsOf(group as Group, rule), ...peer, tags: tags(resource) }, opts);
                }),
            ),
        );
    return {
        groups,
        rules: [
            ...rules(inbound(ingress), SecurityGroupIngressRule),
            ...rules(outbound(ingress), SecurityGroupEgressRule),
        ],
    };
}

/** As EC2 wants them: ICMP has types in the place of ports, of which -1 is each. */
function portsOf({ protocol, ports }: Pick<Rule, "protocol" | "ports">): { fromPort?: number; toPort?: number } {
    if (protocol === "all") {
        return {};
    }
    const [fromPort, toPort] = ports ?? [-1, -1];
    return { fromPort, toPort };
}
