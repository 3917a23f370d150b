import { createNetwork, destroyNetwork, overlaps } from "../../../machines";
import type { Properties } from "../../plugins/protocol/serve";
import { certificateFor } from "../services/simulator-ca";
import { startServices } from "../services/start";
import { met } from "../shared/behaviours";
import { oneOf, required, text } from "../shared/inputs";
import type { Simulated } from "../shared/simulated";
import { type Account, nameOf, type Subnet } from "./account";
import { balancersOf } from "./balancing";
import { waitForInterfaces } from "./interfaces";
import { id, tags, yesOrNo } from "./rules";

const block = (least: number, most: number) => new RegExp(`^\\d+\\.\\d+\\.\\d+\\.\\d+/(${range(least, most)})$`);
const range = (least: number, most: number) =>
    Array.from({ length: most - least + 1 }, (_, index) => least + index).join("|");

/**
 * Seconds for which a VPC's instances cache a missing name: the smaller one of the TTL of a zone's SOA record, which is
 * 900, and its minimum, 86400. Source: "NS and SOA records that Route 53 creates". An engineer of AWS measured 300 for
 * private zones by the VPC's resolver (aws/aws-app-mesh-roadmap#221); here it is 900 for both.
 */
const missingSeconds = 900;

/** A VPC: the machines' network named by its Name tag. */
export const vpc: Simulated<Account> = {
    inputs: {
        cidrBlock: text("a block of /16 to /28", block(16, 28), required),
        assignGeneratedIpv6CidrBlock: yesOrNo,
        enableDnsHostnames: yesOrNo,
        enableDnsSupport: oneOf([true]),
        tags,
    },
    outputs: ["arn", "ipv6AssociationId", "ipv6CidrBlock", "mainRouteTableId", "ownerId"],
    updated: ["ipv6CidrBlock"],
    async create(account, { cidrBlock, assignGeneratedIpv6CidrBlock, enableDnsHostnames, tags: given }) {
        const created = account.newId("vpc");
        const name = nameOf(given, created);
        if (account.all("vpcs").some((other) => other.name === name)) {
            throw new Error(`two VPCs with the same name are not simulated (got ${name})`);
        }
        const ipv6Cidr = assignGeneratedIpv6CidrBlock === true ? ipv6Block(account) : undefined;
        const hasDnsHostnames = enableDnsHostnames === true;
        account.put("vpcs", created, { name, cidr: String(cidrBlock), hasDnsHostnames, ...(ipv6Cidr && { ipv6Cidr }) });
        const domain = Object.values(account.state.zones)[0]!;
        const { folder, ready } = startServices("aws", account.path);
        const services = { folder, ...awsNames(account.state.region) };
        const dns = { domain, lacksApiName: true, remembersMissing: missingSeconds };
        met("remembered missing names");
        const blocks = { subnet: String(cidrBlock), ...(ipv6Cidr && { subnet6: ipv6Cidr }) };
        await Promise.all([ready, createNetwork({ cluster: name, ...blocks, ...dns, services })]);
        const arn = account.arn("ec2", `vpc/${created}`);
        return { id: created, outputs: { arn, ownerId: "123456789012", ipv6CidrBlock: ipv6Cidr ?? "" } };
    },
    async update(account, vpcId, { assignGeneratedIpv6CidrBlock, enableDnsHostnames, tags: given }) {
        const { ipv6Cidr: before, ...rest } = account.find("vpcs", vpcId);
        if (nameOf(given, vpcId) !== rest.name) throw new Error("changing the name is not simulated");
        const users = account.all("subnets").filter(({ vpc: home, ipv6Cidr }) => home === vpcId && ipv6Cidr);
        const ipv6Cidr = assignGeneratedIpv6CidrBlock === true ? (before ?? ipv6Block(account)) : undefined;
        if (!ipv6Cidr) account.refuseWhileUsed(`The IPv6 block of ${vpcId}`, users);
        const hasDnsHostnames = enableDnsHostnames === true;
        account.put("vpcs", vpcId, { ...rest, hasDnsHostnames, ...(ipv6Cidr && { ipv6Cidr }) });
        return { ipv6CidrBlock: ipv6Cidr ?? "" };
    },
    async delete(account, vpcId) {
        const users = [
            ...account.all("subnets"),
            ...account.all("gateways"),
            ...account.all("egressGateways"),
            ...account.all("routeTables"),
            ...account.all("securityGroups"),
            ...account.all("endpoints"),
        ];
        account.refuseWhileUsed(
            `The vpc '${vpcId}'`,
            users.filter((each) => each.vpc === vpcId),
        );
        await destroyNetwork(account.find("vpcs", vpcId).name);
        account.remove("vpcs", vpcId);
    },
};

/** A subnet: addresses of the VPC's network. */
export const subnet: Simulated<Account> = {
    inputs: {
        vpcId: id("vpc", required),
        availabilityZone: text("a zone's name", /^[a-z]{2}(-[a-z]+)+-\d[a-f]$/, required),
        cidrBlock: text("a block of /16 to /28", block(16, 28), required),
        ipv6CidrBlock: text("a block of /64", /^[0-9a-f:]+::\/64$/),
        assignIpv6AddressOnCreation: yesOrNo,
        mapPublicIpOnLaunch: yesOrNo,
        privateDnsHostnameTypeOnLaunch: oneOf(["resource-name"]),
        enableResourceNameDnsARecordOnLaunch: yesOrNo,
        tags,
    },
    outputs: ["arn", "ownerId"],
    async create(account, inputs) {
        const { vpcId, availabilityZone, cidrBlock, mapPublicIpOnLaunch, tags: given } = inputs;
        const home = account.find("vpcs", vpcId);
        const { region } = account.state;
        const [zone, cidr] = [String(availabilityZone), String(cidrBlock)];
        // Zones that every region has; only the service can tell which ones an account has.
        if (!["a", "b", "c"].some((letter) => zone === region + letter)) {
            throw new Error(`InvalidParameterValue: Value (${zone}) for parameter availabilityZone is invalid`);
        }
        if (!contains(home.cidr, cidr)) {
            throw new Error(`InvalidSubnet.Range: The CIDR '${cidr}' is invalid: ${home.cidr} does not hold it`);
        }
        const other = account.all("subnets").find((each) => each.vpc === vpcId && overlaps(each.cidr, cidr));
        if (other) throw new Error(`InvalidSubnet.Conflict: The CIDR '${cidr}' conflicts with another subnet`);
        const created = account.newId("subnet");
        account.put("subnets", created, {
            name: nameOf(given, created),
            vpc: String(vpcId),
            cidr,
            zone,
            isPublic: mapPublicIpOnLaunch === true,
            ...ipv6Of(account, created, inputs),
        });
        return { id: created, outputs: { arn: account.arn("ec2", `subnet/${created}`), ownerId: "123456789012" } };
    },
    async update(account, subnetId, inputs) {
        const { ipv6Cidr: _, givesIpv6: __, ...rest } = account.find("subnets", subnetId);
        account.put("subnets", subnetId, { ...rest, ...ipv6Of(account, subnetId, inputs) });
        return undefined;
    },
    async delete(account, subnetId, operation) {
        const isOne = ({ subnets }: { subnets: readonly string[] }) => subnets.includes(subnetId);
        await waitForInterfaces(account, `The subnet '${subnetId}'`, isOne, operation);
        account.refuseWhileUsed(`The subnet '${subnetId}'`, [
            ...account.all("instances").filter((each) => each.subnet === subnetId),
            ...balancersOf(account.resources).filter((each) => each.subnets.includes(subnetId)),
            ...account.all("natGateways").filter((each) => each.subnet === subnetId),
            ...account.all("endpoints").filter((each) => each.subnets.includes(subnetId)),
        ]);
        account.remove("subnets", subnetId);
    },
};

/** A subnet's share of its VPC's IPv6 block, as the service accepts it. */
function ipv6Of(account: Account, id: string, inputs: Properties): Pick<Subnet, "ipv6Cidr" | "givesIpv6"> {
    const { vpcId, ipv6CidrBlock: cidr, assignIpv6AddressOnCreation: givesIpv6 = false } = inputs;
    if (cidr === undefined && !givesIpv6) return {};
    if (cidr === undefined)
        throw new Error("InvalidParameterCombination: a subnet without IPv6 gives no addresses of it");
    const { ipv6Cidr: outer } = account.find("vpcs", vpcId);
    // All but the last byte of the VPC's 56 bits and the subnet's 8.
    const prefix = (block: string) => block.slice(0, block.indexOf("::") - 2);
    if (!outer || prefix(outer) !== prefix(String(cidr))) {
        throw new Error(
            `InvalidSubnet.Range: The CIDR '${cidr}' is invalid: ${outer ?? "no IPv6 block"} does not hold it`,
        );
    }
    const others = Object.entries(account.resources.subnets).filter(([other]) => other !== id);
    if (others.some(([, { ipv6Cidr }]) => ipv6Cidr === cidr)) {
        throw new Error(`InvalidSubnet.Conflict: The CIDR '${cidr}' conflicts with another subnet`);
    }
    return { ipv6Cidr: String(cidr), givesIpv6: givesIpv6 === true };
}

/** From the blocks for documentation, one per VPC. */
function ipv6Block(account: Account): string {
    const used = account.all("vpcs").map(({ ipv6Cidr }) => ipv6Cidr);
    const all = Array.from({ length: 256 }, (_, index) => `2001:db8:${(0x1000 + index).toString(16)}:1a00::/56`);
    return all.find((each) => !used.includes(each))!;
}

/** An update that only changes tags: everything else replaces the resource or is rejected. */
export async function tagsAlone(_account: Account, _id: string, _inputs: Properties): Promise<undefined> {
    return undefined;
}

/** Whether one IPv4 block contains another. */
function contains(outer: string, inner: string): boolean {
    const prefix = (cidr: string) => Number(cidr.split("/")[1]);
    return prefix(outer) <= prefix(inner) && overlaps(outer, inner);
}

/** Names that AWS' services use, and a certificate for those of a region. */
function awsNames(region: string): { readonly domains: readonly string[]; readonly certificate: string } {
    const hosts = ["*", "*.s3", "*.dualstack", "*.s3.dualstack", "*.ecr", "*.dkr.ecr"];
    const regional = hosts.map((each) => `${each}.${region}.amazonaws.com`);
    return { domains: ["amazonaws.com"], certificate: certificateFor(["*.amazonaws.com", ...regional]) };
}
