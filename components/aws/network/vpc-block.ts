import type { Cluster } from "../../../cluster/model";
import { requireMachineBlock } from "../../../cluster/network/machine-block";
import { invalid, mustNot, requireOneOf } from "../../../cluster/validate";
import { roomIn, type ZoneLetter, zoneLetters } from "./subnets";

/** Letters of the zones: each has a subnet of the block. */
export function requireZones(zones: readonly string[]): ZoneLetter[] {
    if (zones.length === 0) throw mustNot("zones", "be empty");
    return zones.map((zone, index) => {
        if (zones.indexOf(zone) !== index) throw mustNot(`zones[${index}]`, "be listed twice", zone);
        return requireOneOf(`zones[${index}]`, zoneLetters, zone);
    });
}

/** The block of the VPC, large enough for the largest number of nodes. */
export function requireVpcCidr(
    text: string,
    { network, controllers, workerPools }: Cluster,
    zones: readonly ZoneLetter[],
    /**
     * Number of endpoints with an address in each subnet. One in a single zone is created after the load balancer and
     * uses one of its eight addresses.
     */
    endpoints: number,
    /** Whether the nodes' load balancer is in their subnets. */
    hasSecondBalancer: boolean,
) {
    const block = requireMachineBlock("vpcCidr", text, network);
    // The size of existing subnets is the user's responsibility.
    if (zones.length === 0) return block;
    const nodes = controllers.names.length + workerPools.reduce((sum, pool) => sum + pool.nodes.length, 0);
    // Controllers and each pool are spread evenly, starting with the first zone.
    const inOneZone = [controllers.names, ...workerPools.map((pool) => pool.nodes)]
        .map(({ length }) => Math.ceil(length / zones.length))
        .reduce((sum, each) => sum + each, 0);
    if (inOneZone + endpoints + Number(hasSecondBalancer) > roomIn(block)) {
        const withEndpoints =
            endpoints > 0 ? ` and ${endpoints} endpoints` : hasSecondBalancer ? " and two load balancers" : "";
        throw invalid("vpcCidr", `large enough for ${nodes} nodes${withEndpoints} in ${zones.length} zones`, text);
    }
    return block;
}
