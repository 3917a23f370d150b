import { overlaps } from "../../../machines";
import { met } from "../shared/behaviours";
import type { Account, Instance, Resources, SecurityRule } from "./account";
import type { Balancer } from "./balancers";
import { gatewayOf } from "./ways-out";

const everybody = "0.0.0.0/0";

/** Whom a load balancer's groups allow at a port, as its packet filter sees them. */
export interface Admission {
    /** IPv4 blocks; `undefined` means everyone. */
    readonly allowed?: readonly string[];
    /** Addresses of instances that have no path to it. @default none */
    readonly refused?: readonly string[];
}

/**
 * Whom a load balancer lets in at a port. Here instances use their own addresses wherever they connect to; on AWS a
 * public load balancer sees those that they have on the internet, which decide.
 */
export function admission(account: Account, balancer: Balancer, port: number): Admission {
    const { resources } = account;
    const cidrs = rulesAt(resources, balancer.groups, port)
        .flatMap(({ cidr }) => cidr ?? [])
        // The simulation has no IPv6 clients.
        .filter((cidr) => !cidr.includes(":"));
    // Without a group it allows everyone.
    const isOpen = balancer.groups.length === 0 || cidrs.includes(everybody);
    if (balancer.scheme === "internal") return isOpen ? {} : { allowed: [...new Set(cidrs)].sort() };
    met("addresses of the internet");
    const sources = sourcesIn(account, balancer.vpc);
    if (isOpen) {
        const refused = sources.filter(({ address }) => address === undefined).map(({ block }) => block);
        return refused.length > 0 ? { refused: refused.sort() } : {};
    }
    const inside = resources.vpcs[balancer.vpc]!.cidr;
    const others = cidrs.filter((cidr) => !overlaps(inside, cidr));
    const admitted = sources.filter(({ address }) => cidrs.some((cidr) => address && overlaps(`${address}/32`, cidr)));
    return { allowed: [...new Set([...others, ...admitted.map(({ block }) => block)])].sort() };
}

/** What the internet sees a VPC's private subnets and public instances as. */
function sourcesIn(account: Account, vpc: string): { readonly block: string; readonly address?: string }[] {
    const { subnets, instances, natGateways } = account.resources;
    const own = Object.entries(subnets).filter(([, each]) => each.vpc === vpc);
    return own.flatMap(([id, { cidr }]) => {
        const gateway = gatewayOf(account, id);
        if (gateway === undefined || natGateways[gateway])
            return [{ block: cidr, address: sourceAddress(account, { subnet: id }) }];
        const members = Object.values(instances).filter(({ subnet }) => subnet === id);
        return members.map((each) => ({ block: `${each.address}/32`, address: sourceAddress(account, each) }));
    });
}

/** The address that the internet sees an instance with. @default it does not reach the internet */
export function sourceAddress(
    account: Account,
    { subnet, publicAddress }: Pick<Instance, "subnet" | "publicAddress">,
): string | undefined {
    const gateway = gatewayOf(account, subnet);
    if (gateway === undefined) return undefined;
    const { natGateways, addresses } = account.resources;
    const nat = natGateways[gateway];
    return nat ? addresses[nat.address]?.address : publicAddress;
}

/** What groups allow in at a TCP port. */
export function rulesAt({ securityRules }: Resources, groups: readonly string[], port: number): SecurityRule[] {
    return Object.values(securityRules)
        .filter(({ group, isIngress }) => isIngress && groups.includes(group))
        .filter(({ protocol }) => ["tcp", "-1"].includes(protocol))
        .filter(({ fromPort = 0, toPort = 65_535 }) => fromPort <= port && port <= toPort);
}
