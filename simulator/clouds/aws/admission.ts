import { overlaps } from "../../../machines";
import type { Resources, SecurityRule } from "./account";
import type { Balancer } from "./balancers";

const everybody = "0.0.0.0/0";

/** IPv4 blocks that a load balancer's groups allow at a port; `undefined` means everyone. */
export function admitted(
    resources: Resources,
    { groups }: Pick<Balancer, "groups">,
    port: number,
): string[] | undefined {
    const cidrs = rulesAt(resources, groups, port)
        .flatMap(({ cidr }) => cidr ?? [])
        // The simulation has no IPv6 clients.
        .filter((cidr) => !cidr.includes(":"));
    if (cidrs.includes(everybody)) return undefined;
    return [...new Set(cidrs.flatMap((cidr) => [cidr, ...behind(resources, cidr)]))].sort();
}

/** What groups allow in at a TCP port. */
export function rulesAt({ securityRules }: Resources, groups: readonly string[], port: number): SecurityRule[] {
    return Object.values(securityRules)
        .filter(({ group, isIngress }) => isIngress && groups.includes(group))
        .filter(({ protocol }) => ["tcp", "-1"].includes(protocol))
        .filter(({ fromPort = 0, toPort = 65_535 }) => fromPort <= port && port <= toPort);
}

/** Subnets whose instances connect from a block: here they use their own addresses, not that of a NAT gateway. */
function behind({ natGateways, addresses, routes, associations, subnets }: Resources, cidr: string): string[] {
    return Object.entries(natGateways)
        .filter(([, { address }]) => overlaps(`${addresses[address]!.address}/32`, cidr))
        .flatMap(([id]) => Object.values(routes).filter(({ gateway }) => gateway === id))
        .flatMap((route) => Object.values(associations).filter(({ table }) => table === route.table))
        .flatMap(({ subnet }) => subnets[subnet]?.cidr ?? []);
}
