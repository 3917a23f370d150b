import { setTimeout as sleep } from "node:timers/promises";
import { DockerError, list, setPacketFilter } from "../../../machines";
import { Turns } from "./in-turn";

const table = "simulated_firewall";

/** Rules of a machine's own packet filter. */
export interface PacketFilter {
    /** Name of the machines' network. */
    readonly network: string;
    readonly machine: string;
    /** nft expressions of allowed incoming traffic; `undefined` allows everything. */
    readonly accepted?: readonly string[];
    /** Whether all outgoing IPv4 traffic is allowed, or only replies. */
    readonly letsOut: boolean;
    /** The same for IPv6. */
    readonly letsOutIpv6: boolean;
}

const filtering = new Turns("filters");

/** Updates packet filters; which ones is determined once it is their turn. */
export function applyFilters(filters: () => readonly PacketFilter[]): Promise<void> {
    return filtering.take(() => apply(filters()));
}

async function apply(filters: readonly PacketFilter[]): Promise<void> {
    for (const filter of filters) await applyOne(filter, 5);
}

/** A machine that is starting or stopping is updated once it runs. */
async function applyOne(filter: PacketFilter, attempts: number): Promise<void> {
    const { network, machine } = filter;
    try {
        await setPacketFilter(network, machine, rulesetOf(filter));
    } catch (error) {
        if (!(error instanceof DockerError)) throw error;
        if (!(await list(network)).some(({ name }) => name === machine)) return;
        if (attempts === 1) throw error;
        await sleep(1000);
        await applyOne(filter, attempts - 1);
    }
}

/** For nft. As in clouds, the filter applies to the machine, not to the pods behind it. */
export function rulesetOf({
    accepted,
    letsOut,
    letsOutIpv6,
}: Pick<PacketFilter, "accepted" | "letsOut" | "letsOutIpv6">): string {
    const rules = (accepted ?? []).map((rule) => `        ${rule} accept\n`).join("");
    const out = `    chain output {
        type filter hook postrouting priority 190; policy drop;
        oifname != "eth0" accept
        ct state established,related accept
        icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } accept
${letsOut ? "        meta nfproto ipv4 accept\n" : ""}${letsOutIpv6 ? "        meta nfproto ipv6 accept\n" : ""}    }
`;
    return `table inet ${table}
delete table inet ${table}
table inet ${table} {
    chain input {
        type filter hook prerouting priority -190; policy ${accepted ? "drop" : "accept"};
        iifname != "eth0" accept
        ct state established,related accept
${rules}    }
${letsOut && letsOutIpv6 ? "" : out}}
`;
}
