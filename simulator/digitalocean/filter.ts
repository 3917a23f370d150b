import { applyFilters, type PacketFilter, rulesetOf } from "../cloud/packet-filter";
import type { Account, Droplet, FirewallRule, Resources } from "./account";

/** Brings the packet filter of every droplet up to date. */
export function applyFirewalls(account: Account): Promise<void> {
    return applyFilters(() => {
        const { resources } = account;
        return Object.values(resources.droplets).map((droplet) => filterOf(resources, droplet));
    });
}

export function ruleset(resources: Resources, droplet: Droplet): string {
    return rulesetOf(filterOf(resources, droplet));
}

/** What a droplet lets in: all of it while no firewall names one of its tags, else what a rule lets in. */
function filterOf(resources: Resources, droplet: Droplet): PacketFilter {
    const mine = Object.values(resources.firewalls).filter(({ tags }) =>
        tags.some((tag) => droplet.tags.includes(tag)),
    );
    const rules = mine.flatMap(({ inboundRules }) => inboundRules.flatMap((rule) => lines(resources, droplet, rule)));
    return {
        network: resources.vpcs[droplet.vpc]?.name ?? "",
        machine: droplet.name,
        ...(mine.length > 0 && { accepted: rules }),
        letsOut: true,
    };
}

function lines({ droplets, loadBalancers }: Resources, droplet: Droplet, rule: FirewallRule): string[] {
    const tagged = Object.values(droplets).filter(
        ({ vpc, tags }) => vpc === droplet.vpc && tags.some((tag) => rule.sourceTags?.includes(tag)),
    );
    // A tag stands for addresses in the VPC: nobody says whether it does for public ones.
    const sources = [
        ...(rule.sourceAddresses ?? []).filter((address) => !address.includes(":")),
        ...tagged.map(({ address }) => address),
        ...(rule.sourceLoadBalancerUids ?? []).flatMap((id) => loadBalancers[id]?.address ?? []),
    ];
    const what = rule.protocol === "icmp" ? "meta l4proto icmp" : `${rule.protocol} dport ${rule.portRange}`;
    return sources.map((source) => `ip saddr ${source} ${what}`);
}
