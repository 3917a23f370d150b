import type { Cluster } from "../model";
import { invalid, mustNot } from "../validate";
import { type Cidr, contains, overlaps, parseCidr } from "./cidr";

const privateBlocks = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"];

/**
 * Validates the block of a cloud's private network: private, /16 to /24, and not overlapping with others.
 *
 * @param taken - blocks reserved by the cloud, by their name in the error
 */
export function requireMachineBlock(
    option: string,
    text: string,
    { podCidr, serviceCidr }: Cluster["network"],
    taken: Readonly<Record<string, readonly string[]>> = {},
): Cidr {
    const block = parseCidr(option, text);
    const isPrivate = privateBlocks.map((cidr) => parseCidr(option, cidr)).some((outer) => contains(outer, block));
    if (!isPrivate || block.prefix < 16 || block.prefix > 24) {
        throw invalid(option, "a block of /16 to /24 from the private addresses (RFC 1918)", text);
    }
    const all = { ...taken, "network.podCidr": [podCidr.text], "network.serviceCidr": [serviceCidr.text] };
    for (const [whose, blocks] of Object.entries(all)) {
        const other = blocks.find((cidr) => overlaps(block, parseCidr(option, cidr)));
        if (other) throw mustNot(option, `overlap ${whose} ${other}`, text);
    }
    return block;
}
