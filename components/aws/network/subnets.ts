import { Address4, Address6 } from "ip-address";
import type { Cidr } from "../../../cluster/network/cidr";

/** Letters of the availability zones that a region may have. */
export const zoneLetters = ["a", "b", "c", "d", "e", "f", "g", "h"] as const;
export type ZoneLetter = (typeof zoneLetters)[number];

/** Each subnet is a sixteenth of the VPC: enough for a public and a private one in each of eight zones. */
const bits = 4;

/**
 * IPv4 block of a zone's public subnet.
 *
 * Each letter has a fixed place, so that adding or removing a zone moves no subnet.
 */
export function publicSubnet(vpc: Cidr, zone: ZoneLetter): string {
    return sixteenth(vpc, zoneLetters.indexOf(zone));
}

/** IPv4 block of a zone's private subnet: in the other half of the VPC, in the same order. */
export function privateSubnet(vpc: Cidr, zone: ZoneLetter): string {
    return sixteenth(vpc, zoneLetters.length + zoneLetters.indexOf(zone));
}

function sixteenth(vpc: Cidr, index: number): string {
    const size = (vpc.last - vpc.first + 1n) >> BigInt(bits);
    return `${Address4.fromBigInt(vpc.first + size * BigInt(index)).correctForm()}/${vpc.prefix + bits}`;
}

/**
 * A subnet's IPv6 block, a /64 of the VPC's /56, in the same place as with IPv4.
 *
 * @param vpc - the VPC's IPv6 block from AWS: `2001:db8:1234:1a00::/56`
 */
export function ipv6Subnet(vpc: string, { kind, zone }: Pick<OwnSubnet, "kind" | "zone">): string {
    const index = zoneLetters.indexOf(zone) + (kind === "private" ? zoneLetters.length : 0);
    const first = new Address6(vpc).startAddress().bigInt();
    return `${Address6.fromBigInt(first + (BigInt(index) << 64n)).correctForm()}/64`;
}

/** A subnet of the cluster's own VPC. */
export interface OwnSubnet {
    readonly kind: "public" | "private";
    readonly zone: ZoneLetter;
    /** IPv4 block. */
    readonly cidr: string;
}

/** Subnets of a cluster's own VPC: a public one per zone, and a private one with private nodes. */
export function ownSubnets({
    zones,
    vpcCidr,
    topology,
}: {
    readonly zones: readonly ZoneLetter[];
    readonly vpcCidr: Cidr;
    readonly topology: "public" | "private";
}): Record<OwnSubnet["kind"], readonly OwnSubnet[]> {
    return {
        public: zones.map((zone) => ({ kind: "public", zone, cidr: publicSubnet(vpcCidr, zone) })),
        private:
            topology === "public"
                ? []
                : zones.map((zone) => ({ kind: "private", zone, cidr: privateSubnet(vpcCidr, zone) })),
    };
}

/**
 * How many instances fit in a subnet: AWS reserves five addresses, and requires eight free ones to create a load
 * balancer, which uses one.
 *
 * Source: "Availability Zones for your Network Load Balancer".
 */
export function roomIn(vpc: Cidr): number {
    return 2 ** (32 - vpc.prefix - bits) - 13;
}
