import { createNetwork, destroyNetwork, overlaps } from "../../machines";
import { oneOf, text } from "../cloud/inputs";
import type { Simulated } from "../cloud/simulated";
import type { Properties } from "../plugin";
import { type Account, nameOf } from "./account";
import { id, tags, yesOrNo } from "./rules";

const block = (least: number, most: number) => new RegExp(`^\\d+\\.\\d+\\.\\d+\\.\\d+/(${range(least, most)})$`);
const range = (least: number, most: number) =>
    Array.from({ length: most - least + 1 }, (_, index) => least + index).join("|");

/** A VPC: the machines' network that is called as its tag Name says. */
export const vpc: Simulated<Account> = {
    inputs: {
        rules: {
            cidrBlock: text("a block of /16 to /28", block(16, 28), { isRequired: true, isFixed: true }),
            enableDnsHostnames: yesOrNo,
            enableDnsSupport: oneOf([true]),
            tags,
        },
        notSimulated: [
            "assignGeneratedIpv6CidrBlock",
            "enableNetworkAddressUsageMetrics",
            "instanceTenancy",
            "ipv4IpamPoolId",
            "ipv4NetmaskLength",
            "ipv6CidrBlock",
            "ipv6CidrBlockNetworkBorderGroup",
            "ipv6IpamPoolId",
            "ipv6NetmaskLength",
            "region",
        ],
    },
    outputs: ["arn", "mainRouteTableId", "ownerId"],
    async create(account, { cidrBlock, tags: given }) {
        const made = account.newId("vpc");
        const name = nameOf(given, made);
        if (account.all("vpcs").some((other) => other.name === name)) {
            throw new Error(`two VPCs of one name are not simulated, got ${name}`);
        }
        account.put("vpcs", made, { name, cidr: String(cidrBlock) });
        const domain = Object.values(account.state.zones)[0]!;
        await createNetwork({ cluster: name, subnet: String(cidrBlock), domain, lacksApiName: true });
        return { id: made, outputs: { arn: account.arn("ec2", `vpc/${made}`), ownerId: "123456789012" } };
    },
    async update(account, vpcId, { tags: given }) {
        if (nameOf(given, vpcId) !== account.find("vpcs", vpcId).name) throw new Error("a new name is not simulated");
        return undefined;
    },
    async delete(account, vpcId) {
        const users = [
            ...account.all("subnets"),
            ...account.all("gateways"),
            ...account.all("routeTables"),
            ...account.all("securityGroups"),
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
        rules: {
            vpcId: id("vpc", { isRequired: true, isFixed: true }),
            availabilityZone: text("a zone's name", /^[a-z]{2}(-[a-z]+)+-\d[a-f]$/, {
                isRequired: true,
                isFixed: true,
            }),
            cidrBlock: text("a block of /16 to /28", block(16, 28), { isRequired: true, isFixed: true }),
            mapPublicIpOnLaunch: yesOrNo,
            privateDnsHostnameTypeOnLaunch: oneOf(["resource-name"]),
            tags,
        },
        notSimulated: [
            "assignIpv6AddressOnCreation",
            "availabilityZoneId",
            "customerOwnedIpv4Pool",
            "enableDns64",
            "enableLniAtDeviceIndex",
            "enableResourceNameDnsARecordOnLaunch",
            "enableResourceNameDnsAaaaRecordOnLaunch",
            "ipv4IpamPoolId",
            "ipv4NetmaskLength",
            "ipv6CidrBlock",
            "ipv6IpamPoolId",
            "ipv6Native",
            "ipv6NetmaskLength",
            "mapCustomerOwnedIpOnLaunch",
            "outpostArn",
            "region",
        ],
    },
    outputs: ["arn", "ownerId"],
    async create(account, { vpcId, availabilityZone, cidrBlock, mapPublicIpOnLaunch, tags: given }) {
        const home = account.find("vpcs", vpcId);
        const { region } = account.state;
        const [zone, cidr] = [String(availabilityZone), String(cidrBlock)];
        // What every region has; which ones an account has is told by the service alone.
        if (!["a", "b", "c"].some((letter) => zone === region + letter)) {
            throw new Error(`InvalidParameterValue: Value (${zone}) for parameter availabilityZone is invalid`);
        }
        if (!contains(home.cidr, cidr)) {
            throw new Error(`InvalidSubnet.Range: The CIDR '${cidr}' is invalid: ${home.cidr} does not hold it`);
        }
        const other = account.all("subnets").find((each) => each.vpc === vpcId && overlaps(each.cidr, cidr));
        if (other) throw new Error(`InvalidSubnet.Conflict: The CIDR '${cidr}' conflicts with another subnet`);
        const made = account.newId("subnet");
        account.put("subnets", made, {
            name: nameOf(given, made),
            vpc: String(vpcId),
            cidr,
            zone,
            isPublic: mapPublicIpOnLaunch === true,
        });
        return { id: made, outputs: { arn: account.arn("ec2", `subnet/${made}`), ownerId: "123456789012" } };
    },
    update: tagsAlone,
    async delete(account, subnetId) {
        account.refuseWhileUsed(`The subnet '${subnetId}'`, [
            ...account.all("instances").filter((each) => each.subnet === subnetId),
            ...account.all("loadBalancers").filter((each) => each.subnets.includes(subnetId)),
            ...account.all("natGateways").filter((each) => each.subnet === subnetId),
        ]);
        account.remove("subnets", subnetId);
    },
};

/** An update after which only tags differ: everything else makes it anew, or is refused. */
export async function tagsAlone(_account: Account, _id: string, _inputs: Properties): Promise<undefined> {
    return undefined;
}

/** Whether an IPv4 block lies in another one. */
function contains(outer: string, inner: string): boolean {
    const prefix = (cidr: string) => Number(cidr.split("/")[1]);
    return prefix(outer) <= prefix(inner) && overlaps(outer, inner);
}
