import { DockerError, exec } from "../../machines";
import type { Account, Droplet, FirewallRule, Resources } from "./account";

const table = "simulated_firewall";

// What runs at the same time takes turns: the last one has seen everything.
let last: Promise<unknown> = Promise.resolve();

/** Brings the packet filter of every droplet up to date. */
export function applyFirewalls(account: Account): Promise<void> {
    const next = last.then(() => apply(account.resources));
    last = next.catch(() => undefined);
    return next;
}

async function apply(resources: Resources): Promise<void> {
    for (const droplet of Object.values(resources.droplets)) {
        const cluster = resources.vpcs[droplet.vpc]!.name;
        // One that is on its way up is brought up to date when it is there, and one that is off has nothing to let in.
        await exec(cluster, droplet.name, ["nft", "-f", "-"], ruleset(resources, droplet)).catch((error: Error) => {
            if (!(error instanceof DockerError && /No such container|is not running/.test(error.stderr))) throw error;
        });
    }
}

/**
 * What a droplet lets in, for nft: all of it while no firewall names one of its tags, else answers and what a rule
 * lets in. As in the service, a firewall is of the machine and not of the pods behind it.
 */
export function ruleset(resources: Resources, droplet: Droplet): string {
    const mine = Object.values(resources.firewalls).filter(({ tags }) =>
        tags.some((tag) => droplet.tags.includes(tag)),
    );
    const rules = mine.flatMap(({ inboundRules }) => inboundRules.flatMap((rule) => lines(resources, droplet, rule)));
    const isOpen = mine.length === 0;
    return `table inet ${table}
delete table inet ${table}
table inet ${table} {
    chain input {
        type filter hook prerouting priority -190; policy ${isOpen ? "accept" : "drop"};
        iifname != "eth0" accept
        ct state established,related accept
${rules.map((rule) => `        ${rule}\n`).join("")}    }
}
`;
}

function lines({ droplets, loadBalancers }: Resources, droplet: Droplet, rule: FirewallRule): string[] {
    const tagged = Object.values(droplets).filter(
        ({ vpc, tags }) => vpc === droplet.vpc && tags.some((tag) => rule.sourceTags?.includes(tag)),
    );
    const sources = [
        ...(rule.sourceAddresses ?? []).filter((address) => !address.includes(":")),
        ...tagged.map(({ address }) => address),
        ...(rule.sourceLoadBalancerUids ?? []).flatMap((id) => loadBalancers[id]?.address ?? []),
    ];
    const what = rule.protocol === "icmp" ? "meta l4proto icmp" : `${rule.protocol} dport ${rule.portRange}`;
    return sources.map((source) => `ip saddr ${source} ${what} accept`);
}
