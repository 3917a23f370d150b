import { setTimeout as sleep } from "node:timers/promises";
import { DockerError, exec, list } from "../../machines";

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

// What runs at the same time takes turns: the last one has seen everything.
let last: Promise<unknown> = Promise.resolve();

/** Brings packet filters up to date; which ones is asked when it is their turn. */
export function applyFilters(filters: () => readonly PacketFilter[]): Promise<void> {
    const next = last.then(() => apply(filters()));
    last = next.catch(() => undefined);
    return next;
}

async function apply(filters: readonly PacketFilter[]): Promise<void> {
    for (const filter of filters) await applyOne(filter, 5);
}

/** A machine that is on its way up is brought up to date when it is there, and one that is off has nothing to let in. */
async function applyOne(filter: PacketFilter, attempts: number): Promise<void> {
    const { network, machine } = filter;
    try {
        await exec(network, machine, ["nft", "-f", "-"], rulesetOf(filter));
    } catch (error) {
        const isOn = (await list(network)).some(({ name, state }) => name === machine && state === "running");
        if (!isOn) return;
        // On its way down it is on, and nothing runs in it any more.
        if (!(error instanceof DockerError) || attempts === 1) throw error;
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
