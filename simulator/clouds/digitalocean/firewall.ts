import type { Properties } from "../../plugins/protocol/serve";
import { listOf, required, text } from "../shared/inputs";
import { applyFilters, type PacketFilter, rulesetOf } from "../shared/packet-filter";
import type { Simulated } from "../shared/simulated";
import type { Account, Droplet, FirewallRule, Resources } from "./account";
import { tagPattern } from "./project-resources";

/** Updates the packet filter of every droplet. */
export function applyFirewalls(account: Account): Promise<void> {
    return applyFilters(() => {
        const { resources } = account;
        return Object.values(resources.droplets).map((droplet) => filterOf(resources, droplet));
    });
}

export function ruleset(resources: Resources, droplet: Droplet): string {
    return rulesetOf(filterOf(resources, droplet));
}

/** What a droplet allows in: everything while no firewall selects one of its tags, otherwise what a rule allows. */
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
        letsOutIpv6: true,
    };
}

function lines({ droplets, loadBalancers }: Resources, droplet: Droplet, rule: FirewallRule): string[] {
    const tagged = Object.values(droplets).filter(
        ({ vpc, tags }) => vpc === droplet.vpc && tags.some((tag) => rule.sourceTags?.includes(tag)),
    );
    // A tag stands for addresses in the VPC; whether it includes public ones is undocumented.
    const sources = [
        ...(rule.sourceAddresses ?? []).filter((address) => !address.includes(":")),
        ...tagged.map(({ address }) => address),
        ...(rule.sourceLoadBalancerUids ?? []).flatMap((id) => loadBalancers[id]?.address ?? []),
    ];
    const what = rule.protocol === "icmp" ? "meta l4proto icmp" : `${rule.protocol} dport ${rule.portRange}`;
    return sources.map((source) => `ip saddr ${source} ${what}`);
}

const protocols = ["tcp", "udp", "icmp"];
const ports = /^([1-9]\d{0,4}|[1-9]\d{0,4}-[1-9]\d{0,4})$/;

/** A firewall: packet filters on its droplets. */
export const firewall: Simulated<Account> = {
    inputs: {
        name: text("letters, digits, dashes and periods", /^[A-Za-z0-9][A-Za-z0-9.-]*$/, required),
        tags: listOf("tags", (value: unknown) => tagPattern.test(String(value)), required),
        inboundRules: listOf("rules with a protocol, ports and sources", isRule("source"), required),
        outboundRules: listOf("rules that allow all outgoing traffic", isRule("destination"), required),
    },
    outputs: ["createdAt", "pendingChanges", "status"],
    async create(account: Account, inputs: Properties) {
        const id = account.newId("firewalls");
        await put(account, id, inputs);
        return { id, outputs: { createdAt: new Date().toISOString(), pendingChanges: [], status: "succeeded" } };
    },
    update: put,
    async delete(account: Account, id: string) {
        account.remove("firewalls", id);
        await applyFirewalls(account);
    },
};

async function put(account: Account, id: string, { name, tags, inboundRules }: Properties): Promise<undefined> {
    const { tags: known, loadBalancers } = account.resources;
    const rules = inboundRules as FirewallRule[];
    const used = [...(tags as string[]), ...rules.flatMap(({ sourceTags = [] }) => sourceTags)];
    const unknown = used.find((each) => !known[each]);
    if (unknown) throw new Error(`tags must exist (got ${unknown})`);
    const missing = rules.flatMap((rule) => rule.sourceLoadBalancerUids ?? []).find((each) => !loadBalancers[each]);
    if (missing) throw new Error(`load balancers of the rules must exist (got ${missing})`);
    account.put("firewalls", id, { name: String(name), tags: tags as string[], inboundRules: rules });
    await applyFirewalls(account);
    return undefined;
}

function isRule(side: "source" | "destination") {
    const peers = side === "source" ? ["Addresses", "Tags", "LoadBalancerUids"] : ["Addresses"];
    const sides = peers.map((peer) => `${side}${peer}`);
    return (rule: Properties) => {
        const { protocol, portRange, ...others } = rule;
        const isPorted = protocol === "icmp" ? portRange === undefined : ports.test(String(portRange));
        const names = Object.keys(others);
        return (
            protocols.includes(String(protocol)) &&
            isPorted &&
            names.length > 0 &&
            names.every((n) => sides.includes(n))
        );
    };
}
