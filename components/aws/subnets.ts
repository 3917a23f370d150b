import { Address4 } from "ip-address";
import type { Cidr } from "../cluster/cidr";

/** Letters of the availability zones that a region may have. */
export const zoneLetters = ["a", "b", "c", "d", "e", "f", "g", "h"] as const;
export type ZoneLetter = (typeof zoneLetters)[number];

/** A sixteenth of the VPC for each subnet: eight zones have a public one each, and as many private ones have room. */
const bits = 4;

/**
 * The IPv4 block of a zone's public subnet.
 *
 * A letter has its place, whatever other zones there are: to add or to remove one moves none.
 */
export function publicSubnet(vpc: Cidr, zone: ZoneLetter): string {
    const size = (vpc.last - vpc.first + 1n) >> BigInt(bits);
    const first = vpc.first + size * BigInt(zoneLetters.indexOf(zone));
    return `${Address4.fromBigInt(first).correctForm()}/${vpc.prefix + bits}`;
}

/** How many instances have room in a subnet: AWS keeps five addresses, and the load balancer takes eight at most. */
export function roomIn(vpc: Cidr): number {
    return 2 ** (32 - vpc.prefix - bits) - 13;
}
