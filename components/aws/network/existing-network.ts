import { getSecurityGroup } from "@pulumi/aws/ec2/getSecurityGroup";
import { getSubnet } from "@pulumi/aws/ec2/getSubnet";
import { getVpc } from "@pulumi/aws/ec2/getVpc";
import { getVpcDhcpOptions } from "@pulumi/aws/ec2/getVpcDhcpOptions";
import * as pulumi from "@pulumi/pulumi";
import { type Cidr, contains, parseCidr } from "../../../cluster/network/cidr";
import { invalid, mustNot } from "../../../cluster/validate";
import { checked } from "../../pulumi/errors";
import { lookUpLate } from "../../pulumi/late";
import { instanceDomain } from "../machines/machine-groups";
import type { Aws, AwsNetwork, ExistingNetwork, NetworkSubnet } from "../model";

/** The properties of a subnet that are checked. */
export interface FoundSubnet {
    readonly id: string;
    readonly vpcId: string;
    readonly cidrBlock: string;
    readonly availabilityZone: string;
    readonly mapPublicIpOnLaunch: boolean;
    /** Empty if it has none. */
    readonly ipv6CidrBlock: string;
    readonly assignIpv6AddressOnCreation: boolean;
}

/**
 * The user's VPC and subnets, looked up and checked before anything is created in them: at preview, unless the program
 * creates them itself.
 */
export function findNetwork(
    existing: ExistingNetwork,
    { vpcCidr, topology, ipv6, region, pools }: Pick<Aws, "vpcCidr" | "topology" | "ipv6" | "region" | "pools">,
    opts: pulumi.CustomResourceOptions,
): AwsNetwork {
    const { vpcId, subnetIds, loadBalancerSubnetIds, securityGroupIds } = existing;
    const parent = { parent: opts.parent };
    const vpc = lookUpLate(vpcId, (id) => getVpc({ id }, parent), "vpcId", "the id of a VPC in the region");
    const hasPools = Object.keys(pools).length > 0;
    const domain = hasPools ? vpc.apply(({ dhcpOptionsId }) => domainOf(dhcpOptionsId, parent)) : undefined;
    const checkedId = pulumi.all([vpc, domain]).apply(([found, name]) =>
        checked(() => {
            if (name !== undefined) requireDomain(found.id, name, instanceDomain(region));
            return requireVpc(found, vpcCidr);
        }),
    );
    const find = (option: string, ids: readonly pulumi.Input<string>[], isPublic: boolean) => {
        const legal = "the id of a subnet in the region";
        const found = ids.map((id, index) =>
            lookUpLate(id, (known) => getSubnet({ id: known }, parent), `${option}[${index}]`, legal),
        );
        const isOnePerZone = option === "loadBalancerSubnetIds";
        const rules = { option, vpcCidr, isPublic, isOnePerZone, ipv6 };
        const all = pulumi
            .all([found, checkedId] as const)
            .apply(([subnets, id]) => checked(() => requireSubnets(subnets, { ...rules, vpcId: id })));
        const subnets = ids.map(
            (_, index): NetworkSubnet => ({
                id: all.apply((each) => each[index]!.id),
                availabilityZone: all.apply((each) => each[index]!.availabilityZone),
            }),
        );
        return { subnets, assignPublic: all.apply((each) => each.some((one) => one.mapPublicIpOnLaunch)) };
    };
    const findGroup = (id: pulumi.Input<string>, index: number) => {
        const option = `securityGroupIds[${index}]`;
        const legal = "a security group's id in the region";
        const group = lookUpLate(id, (known) => getSecurityGroup({ id: known }, parent), option, legal);
        return pulumi.all([group, vpcId]).apply(([found, home]) =>
            checked(() => {
                if (found.vpcId === home) return found.id;
                throw invalid(option, `a security group of ${home}, not of ${found.vpcId}`, found.id);
            }),
        );
    };
    const ofNodes = find("subnetIds", subnetIds, topology === "public");
    return {
        vpc: { id: checkedId, ipv6CidrBlock: vpc.ipv6CidrBlock },
        nodeSubnets: ofNodes.subnets,
        ...(topology === "private" && { hidesNodes: ofNodes.assignPublic }),
        loadBalancerSubnets: find("loadBalancerSubnetIds", loadBalancerSubnetIds, false).subnets,
        securityGroupIds: securityGroupIds.map(findGroup),
        natGateways: {},
        routeTables: [],
        ways: [],
    };
}

/** The domain in DHCP options; undefined if there is none, or if the credentials may not read it. */
async function domainOf(dhcpOptionsId: string, opts: pulumi.InvokeOptions): Promise<string | undefined> {
    const found = await getVpcDhcpOptions({ dhcpOptionsId }, opts).catch(() => undefined);
    // Linux takes the first of several.
    return found?.domainName?.split(" ")[0] || undefined;
}

/** Instances of pools, and so their nodes, have names in this domain; agents admit only those of EC2 itself. */
export function requireDomain(vpcId: string, domain: string, legal: string): void {
    if (domain === legal.slice(1)) return;
    const option = `a VPC whose DHCP options have the domain ${legal.slice(1)} or none, not ${domain}, since pools' nodes are named by it`;
    throw invalid("vpcId", option, vpcId);
}

/** Returns its id. Throws `vpcCidr must be ... (got ...)` and the like. */
export function requireVpc(
    {
        id,
        cidrBlock,
        enableDnsSupport,
        enableDnsHostnames,
    }: {
        readonly id: string;
        readonly cidrBlock: string;
        readonly enableDnsSupport: boolean;
        readonly enableDnsHostnames: boolean;
    },
    vpcCidr: Cidr,
): string {
    if (cidrBlock !== vpcCidr.text) throw invalid("vpcCidr", `the block of ${id}, ${cidrBlock}`, vpcCidr.text);
    if (!enableDnsSupport || !enableDnsHostnames) {
        throw invalid("vpcId", "a VPC with DNS support and DNS host names", id);
    }
    return id;
}

export interface RequestedSubnets {
    readonly option: string;
    readonly vpcId: string;
    readonly vpcCidr: Cidr;
    /** Whether instances get public addresses there. */
    readonly isPublic: boolean;
    /** A load balancer uses one per zone. */
    readonly isOnePerZone: boolean;
    /** Whether the subnets have IPv6 addresses and assign them automatically, which a load balancer does not need. */
    readonly ipv6: boolean;
}

/** Throws `subnetIds[0] must be ... (got ...)`. */
export function requireSubnets(
    subnets: readonly FoundSubnet[],
    { option, vpcId, vpcCidr, isPublic, isOnePerZone, ipv6 }: RequestedSubnets,
): readonly FoundSubnet[] {
    subnets.forEach((subnet, index) => {
        const { id, cidrBlock, availabilityZone } = subnet;
        const one = `${option}[${index}]`;
        if (subnet.vpcId !== vpcId) throw invalid(one, `a subnet of ${vpcId}, not of ${subnet.vpcId}`, id);
        if (!contains(vpcCidr, parseCidr(one, cidrBlock))) {
            throw invalid(one, `a subnet within ${vpcCidr.text}, not ${cidrBlock}`, id);
        }
        if (isPublic && !subnet.mapPublicIpOnLaunch) {
            throw invalid(one, "a public subnet, which assigns public addresses to instances", id);
        }
        if (ipv6 && !(subnet.ipv6CidrBlock && (isOnePerZone || subnet.assignIpv6AddressOnCreation))) {
            const legal = isOnePerZone
                ? "with an IPv6 block"
                : "with an IPv6 block, which assigns its addresses to instances";
            throw invalid(one, `a subnet ${legal} (required by ipv6)`, id);
        }
        const other = subnets.findIndex((each) => each.availabilityZone === availabilityZone);
        if (isOnePerZone && other !== index) {
            throw mustNot(one, `be in the zone of ${option}[${other}], ${availabilityZone}`, id);
        }
    });
    return subnets;
}
