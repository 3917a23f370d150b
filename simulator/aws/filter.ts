import { applyFilters, type PacketFilter } from "../cloud/packet-filter";
import type { Account, Instance, Resources, SecurityRule } from "./account";
import { balancersOf } from "./balancers";

/** Brings the packet filter of every instance up to date. */
export function applySecurityGroups(account: Account): Promise<void> {
    return applyFilters(() => {
        const { resources } = account;
        return Object.values(resources.instances).map((instance) => filterOf(resources, instance));
    });
}

/** What an instance lets in by the rules of its groups, nothing without one; out goes everything or nothing. */
export function filterOf(resources: Resources, instance: Instance): PacketFilter {
    const rules = Object.values(resources.securityRules).filter(({ group }) => instance.groups.includes(group));
    return {
        network: resources.vpcs[instance.vpc]!.name,
        machine: instance.machine,
        accepted: rules.filter(({ isIngress }) => isIngress).flatMap((rule) => lines(resources, rule)),
        letsOut: rules.some(({ isIngress, protocol, cidr }) => !isIngress && protocol === "-1" && cidr === "0.0.0.0/0"),
    };
}

function lines(resources: Resources, rule: SecurityRule): string[] {
    const { protocol, fromPort, toPort, cidr, peer } = rule;
    const members = [...Object.values(resources.instances), ...balancersOf(resources)];
    const sources = peer
        ? members.filter(({ groups }) => groups.includes(peer)).map(({ address }) => `ip saddr ${address}`)
        : [`${cidr!.includes(":") ? "ip6" : "ip"} saddr ${cidr}`];
    const what =
        { icmp: "meta l4proto icmp", icmpv6: "meta l4proto icmpv6", "-1": "" }[protocol] ??
        `${protocol} dport ${fromPort}-${toPort}`;
    return sources.map((source) => `${source} ${what}`.trim());
}
