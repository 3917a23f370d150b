import { overlaps } from "../../../machines";
import type { Resources, SecurityRule } from "./account";
import type { Balancer } from "./balancers";

const everybody = "0.0.0.0/0";

/** IPv4 blocks that a load balancer's groups let in at a port; `undefined` is everybody. */
export function admitted(
    resources: Resources,
    { groups }: Pick<Balancer, "groups">,
    port: number,
): string[] | undefined {
    const cidrs = rulesAt(resources, groups, port)
        .flatMap(({ cidr }) => cidr ?? [])
        // Nobody comes by IPv6 here.
        .filter((cidr) => !cidr.includes(":"));
    if (cidrs.includes(everybody)) return undefined;
    return [...new Set(cidrs.flatMap((cidr) => [cidr, ...behind(resources, cidr)]))].sort();
}

/** What groups let in at a port of TCP. */
export function rulesAt({ securityRules }: Resources, groups: readonly string[], port: number): SecurityRule[] {
    return Object.values(securityRules)
        .filter(({ group, isIngress }) => isIngress && groups.includes(group))
        .filter(({ protocol }) => ["tcp", "-1"].includes(protocol))
        .filter(({ fromPort = 0, toPort = 65_535 }) => fromPort <= port && port <= toPort);
}

/** Subnets whose instances come from a block: here they come by their own addresses, and not by that of a NAT gateway. */
function behind({ natGateways, addresses, routes, associations, subnets }: Resources, cidr: string): string[] {
    return Object.entries(natGateways)
        .filter(([, { address }]) => overlaps(`${addresses[address]!.address}/32`, cidr))
        .flatMap(([id]) => Object.values(routes).filter(({ gateway }) => gateway === id))
        .flatMap((route) => Object.values(associations).filter(({ table }) => table === route.table))
        .flatMap(({ subnet }) => subnets[subnet]?.cidr ?? []);
}
