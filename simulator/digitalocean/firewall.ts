import { listOf, text } from "../cloud/inputs";
import type { Simulated } from "../cloud/simulated";
import type { Properties } from "../plugin";
import type { Account, FirewallRule } from "./account";
import { applyFirewalls } from "./filter";
import { tagPattern } from "./tag";

const protocols = ["tcp", "udp", "icmp"];
const ports = /^([1-9]\d{0,4}|[1-9]\d{0,4}-[1-9]\d{0,4})$/;

/** A firewall: packet filters on its droplets. */
export const firewall: Simulated<Account> = {
    inputs: {
        rules: {
            name: text("letters, digits, dashes and periods", /^[A-Za-z0-9][A-Za-z0-9.-]*$/, { isRequired: true }),
            tags: listOf("tags", (value: unknown) => tagPattern.test(String(value)), { isRequired: true }),
            inboundRules: listOf("rules with a protocol, ports and sources", isRule("source"), { isRequired: true }),
            outboundRules: listOf("rules that let everything out", isRule("destination"), { isRequired: true }),
        },
        notSimulated: ["dropletIds"],
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
    if (unknown) throw new Error(`tags must be there, got ${unknown}`);
    const missing = rules.flatMap((rule) => rule.sourceLoadBalancerUids ?? []).find((each) => !loadBalancers[each]);
    if (missing) throw new Error(`a load balancer of the rules must be there, got ${missing}`);
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
