import { setTimeout as sleep } from "node:timers/promises";
import { DockerError, list, setPacketFilter } from "../../../machines";
import { Turns } from "./in-turn";

const table = "simulated_firewall";

/** What a machine's own packet filter lets through. */
export interface PacketFilter {
    /** Name of the machines' network. */
    readonly network: string;
    readonly machine: string;
    /** nft's expressions of what is let in; `undefined` lets everything in. */
    readonly accepted?: readonly string[];
    /** Whether everything is let out, or answers alone. */
    readonly letsOut: boolean;
}

const filtering = new Turns("filters");

/** Brings packet filters up to date; which ones is asked when it is their turn. */
export function applyFilters(filters: () => readonly PacketFilter[]): Promise<void> {
    return filtering.take(() => apply(filters()));
}

async function apply(filters: readonly PacketFilter[]): Promise<void> {
    for (const filter of filters) await applyOne(filter, 5);
}

/** A machine that is on its way up or down is brought up to date when it is there. */
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

/** For nft. As in clouds, a filter is of the machine and not of the pods behind it. */
export function rulesetOf({ accepted, letsOut }: Pick<PacketFilter, "accepted" | "letsOut">): string {
    const rules = (accepted ?? []).map((rule) => `        ${rule} accept\n`).join("");
    const out = `    chain output {
        type filter hook postrouting priority 190; policy drop;
        oifname != "eth0" accept
        ct state established,related accept
    }
`;
    return `table inet ${table}
delete table inet ${table}
table inet ${table} {
    chain input {
        type filter hook prerouting priority -190; policy ${accepted ? "drop" : "accept"};
        iifname != "eth0" accept
        ct state established,related accept
${rules}    }
${letsOut ? "" : out}}
`;
}
