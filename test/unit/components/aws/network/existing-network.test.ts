import assert from "node:assert/strict";
import fc from "fast-check";
import { parseCidr } from "../../../../../cluster/network/cidr";
import {
    type FoundSubnet,
    requireDomain,
    requireSubnets,
    requireVpc,
} from "../../../../../components/aws/network/existing-network";

const vpcCidr = parseCidr("vpcCidr", "10.0.0.0/16");
const vpc = { id: "vpc-1", cidrBlock: "10.0.0.0/16", enableDnsSupport: true, enableDnsHostnames: true };
const subnet: FoundSubnet = {
    id: "subnet-1",
    vpcId: "vpc-1",
    cidrBlock: "10.0.1.0/24",
    availabilityZone: "eu-central-1a",
    mapPublicIpOnLaunch: true,
    ipv6CidrBlock: "",
    assignIpv6AddressOnCreation: false,
};
const ipv6 = { ipv6CidrBlock: "2001:db8:1:2::/64", assignIpv6AddressOnCreation: true };
const desired = { option: "subnetIds", vpcId: "vpc-1", vpcCidr, isPublic: true, isOnePerZone: false, ipv6: false };

describe("an existing VPC", () => {
    it("is accepted with its own block and DNS names for its instances", () => {
        assert.equal(requireVpc(vpc, vpcCidr), "vpc-1");
    });

    it("is refused with another block than it has", () => {
        assert.throws(() => requireVpc({ ...vpc, cidrBlock: "10.0.0.0/20" }, vpcCidr), {
            message: "vpcCidr must be the block of vpc-1, 10.0.0.0/20 (got 10.0.0.0/16)",
        });
    });

    it("is refused when it has no names for its instances", () => {
        const message = "vpcId must be a VPC with DNS support and DNS host names (got vpc-1)";
        assert.throws(() => requireVpc({ ...vpc, enableDnsHostnames: false }, vpcCidr), { message });
        assert.throws(() => requireVpc({ ...vpc, enableDnsSupport: false }, vpcCidr), { message });
    });
});

describe("DHCP options of an existing VPC", () => {
    it("must have EC2's own domain of the region", () => {
        requireDomain("vpc-1", "eu-central-1.compute.internal", ".eu-central-1.compute.internal");
        assert.throws(() => requireDomain("vpc-1", "corp.example", ".ec2.internal"), {
            message:
                "vpcId must be a VPC whose DHCP options have the domain ec2.internal or none, not corp.example, since pools' nodes are named by it (got vpc-1)",
        });
    });
});

describe("existing subnets", () => {
    it("are taken, several of a zone too", () => {
        const both = [subnet, { ...subnet, id: "subnet-2", cidrBlock: "10.0.2.0/24" }];
        assert.deepEqual(requireSubnets(both, desired), both);
    });

    const refused: [string, Partial<FoundSubnet>, string][] = [
        ["of another VPC", { vpcId: "vpc-2" }, "subnetIds[0] must be a subnet of vpc-1, not of vpc-2 (got subnet-1)"],
        [
            "of a further block of the VPC",
            { cidrBlock: "100.64.0.0/24" },
            "subnetIds[0] must be a subnet within 10.0.0.0/16, not 100.64.0.0/24 (got subnet-1)",
        ],
        [
            "that are private, for public nodes",
            { mapPublicIpOnLaunch: false },
            "subnetIds[0] must be a public subnet, which assigns public addresses to instances (got subnet-1)",
        ],
    ];
    for (const [what, more, message] of refused) {
        it(`are refused ${what}`, () => {
            assert.throws(() => requireSubnets([{ ...subnet, ...more }], desired), { message });
        });
    }

    it("may be private for private nodes", () => {
        requireSubnets([{ ...subnet, mapPublicIpOnLaunch: false }], { ...desired, isPublic: false });
    });

    it("have IPv6 blocks where the cluster has, and give instances addresses of them", () => {
        const want = { ...desired, ipv6: true };
        requireSubnets([{ ...subnet, ...ipv6 }], want);
        const message =
            "subnetIds[0] must be a subnet with an IPv6 block, which assigns its addresses to instances (required by ipv6) (got subnet-1)";
        for (const each of [subnet, { ...subnet, ...ipv6, assignIpv6AddressOnCreation: false }]) {
            assert.throws(() => requireSubnets([each], want), { message });
        }
        const balanced = { ...want, option: "loadBalancerSubnetIds", isOnePerZone: true };
        requireSubnets([{ ...subnet, ...ipv6, assignIpv6AddressOnCreation: false }], balanced);
        assert.throws(() => requireSubnets([subnet], balanced), {
            message: "loadBalancerSubnetIds[0] must be a subnet with an IPv6 block (required by ipv6) (got subnet-1)",
        });
    });

    it("are one of each zone for a load balancer", () => {
        const both = [subnet, { ...subnet, id: "subnet-2" }];
        const option = "loadBalancerSubnetIds";
        assert.throws(() => requireSubnets(both, { ...desired, option, isOnePerZone: true }), {
            message:
                "loadBalancerSubnetIds[1] must not be in the zone of loadBalancerSubnetIds[0], eu-central-1a (got subnet-2)",
        });
    });
});

/** A user's subnet, right or wrong in any way. */
const brought = fc.record({
    id: fc.constantFrom("subnet-1", "subnet-2", "subnet-3"),
    vpcId: fc.constantFrom("vpc-1", "vpc-1", "vpc-1", "vpc-2"),
    cidrBlock: fc.constantFrom("10.0.1.0/24", "10.0.128.0/17", "10.0.0.0/16", "10.0.0.0/15", "100.64.0.0/24"),
    availabilityZone: fc.constantFrom("eu-central-1a", "eu-central-1b", "eu-central-1c"),
    mapPublicIpOnLaunch: fc.boolean(),
    ipv6CidrBlock: fc.constantFrom("", "2001:db8:1:2::/64"),
    assignIpv6AddressOnCreation: fc.boolean(),
});
const faults: Record<string, (each: FoundSubnet, before: readonly FoundSubnet[], want: typeof desired) => boolean> = {
    "be a subnet of vpc-1, not of": (each) => each.vpcId !== "vpc-1",
    "be a subnet within 10.0.0.0/16": (each) => ["10.0.0.0/15", "100.64.0.0/24"].includes(each.cidrBlock),
    "be a public subnet": (each, _, { isPublic }) => isPublic && !each.mapPublicIpOnLaunch,
    "be a subnet with an IPv6 block": (each, _, { ipv6, isOnePerZone }) =>
        ipv6 && (each.ipv6CidrBlock === "" || !(isOnePerZone || each.assignIpv6AddressOnCreation)),
    "not be in the zone of": (each, before, { isOnePerZone }) =>
        isOnePerZone && before.some(({ availabilityZone }) => availabilityZone === each.availabilityZone),
};

describe("any existing subnets", () => {
    it("are taken as they are, or the first one with a fault is refused for its first fault", () => {
        const wishes = fc.record({ isPublic: fc.boolean(), isOnePerZone: fc.boolean(), ipv6: fc.boolean() });
        fc.assert(
            fc.property(fc.array(brought, { minLength: 1, maxLength: 4 }), wishes, (subnets, wishes) => {
                const want = { ...desired, ...wishes };
                const faulty = subnets.flatMap((each, index) => {
                    const found = Object.entries(faults).find(([, is]) => is(each, subnets.slice(0, index), want));
                    return found ? [`subnetIds[${index}] must ${found[0]}`] : [];
                });
                if (faulty.length === 0) {
                    assert.deepEqual(requireSubnets(subnets, want), subnets);
                } else {
                    assert.throws(
                        () => requireSubnets(subnets, want),
                        ({ message }: Error) => message.startsWith(faulty[0]!),
                    );
                }
            }),
        );
    });
});
