import { type Cidr, overlaps, parseCidr } from "../cluster/cidr";
import { hostAddress6, parseCidr6 } from "../cluster/cidr6";
import { mapValues } from "../cluster/map-values";
import type { Cluster } from "../cluster/model";
import { invalid } from "../cluster/validate";

/** Addresses by IPv6 in the machines' own network: plain data. */
export interface AddressesByIpv6 {
    readonly cidr: Cidr;
    /** By node name. */
    readonly machines: Readonly<Record<string, string>>;
}

/**
 * A block for machines that have `addresses` in the block `cidr`: unique local, another one for another IPv4 block, and in it
 * each machine has the same place.
 */
export function addressesByIpv6(
    { network }: Cluster,
    cidr: Cidr,
    addresses: Readonly<Record<string, string>>,
): AddressesByIpv6 {
    const [high, low] = [cidr.first >> 16n, cidr.first & 0xffffn].map((half) => half.toString(16));
    const block = parseCidr6("machineCidr", `fd74:7264:${high}:${low}::/64`);
    for (const option of ["podCidr6", "serviceCidr6"] as const) {
        const other = network[option];
        if (other && overlaps(block, other)) {
            throw invalid(`network.${option}`, `apart from the machines' ${block.text}`, other.text);
        }
    }
    const place = (address: string) => Number(parseCidr("machineCidr", `${address}/32`).first - cidr.first);
    return { cidr: block, machines: mapValues(addresses, (address) => hostAddress6(block, place(address))) };
}
