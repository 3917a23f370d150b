import type { LocalClusterArgs } from "../../components/local/cluster";
import { withBenchNetwork } from "./control-plane/bench-network";
import { ours } from "./control-plane/contenders";
import { type Boot, timedBoot } from "./control-plane/timed-boot";
import { type Group, median, type Result } from "./report";

const CLUSTER = "bench-defaults";

/** Each secure default that a single controller has from its first boot, and the options of a cluster without it. */
const each: Readonly<Record<string, Partial<LocalClusterArgs>>> = {
    "audit-log": { auditLog: false },
    encryption: { keys: { encryption: ["plain"] } },
    admission: {
        podSecurity: { enforce: "privileged", audit: "privileged", warn: "privileged" },
        eventRateLimit: { server: 0, namespace: 0 },
    },
    "network-policies": { network: { networkPolicies: "ignored" } },
    "kubelet-certificates": { certificates: { kubeletServing: "own" } },
};

export const without = { all: Object.assign({}, ...Object.values(each)) as Partial<LocalClusterArgs>, ...each };

/** What each secure default costs: a controller with all of them, compared to one without it. */
export const run: Group = ({ result, say }, { signal }) =>
    withBenchNetwork(CLUSTER, say, async (subnet) => {
        const boot = async (title: string, options: Partial<LocalClusterArgs>) => {
            say(title);
            const { firstApi, machine } = await timedBoot(await ours(CLUSTER, subnet, options), signal, () => {});
            say(`    first API ${(firstApi / 1000).toFixed(2)} s, ${describe(machine)}`);
            return { firstApi, machine };
        };
        const full = [await boot("all defaults", {})];
        const lacking: Record<string, Measured> = {};
        for (const [name, options] of Object.entries(without)) {
            lacking[name] = await boot(`without ${name}`, options);
        }
        // Once more, because background load may change meanwhile.
        full.push(await boot("all defaults", {}));
        for (const [name, peer] of Object.entries(lacking)) {
            for (const each of results(name, full, peer)) result(each);
        }
    });

type Measured = Pick<Boot, "firstApi" | "machine">;

/** The most that a default may cost. */
const goal = 1.25;

/** Medians of boots with all defaults divided by a boot without one. */
export function results(name: string, full: readonly Measured[], peer: Measured): Result[] {
    const measure = (what: string, unit: string, of: (boot: Measured) => number): Result => {
        const value = median(full.map(of));
        return { name: `defaults.${name}.${what}`, value, unit, peer: "without it", ratio: value / of(peer), goal };
    };
    return [
        measure("first-api", "s", ({ firstApi }) => firstApi / 1000),
        measure("memory", "MiB", ({ machine }) => machine.mebibytes),
        measure("idle-cpu", "millicores", ({ machine }) => machine.millicores),
    ];
}

const describe = ({ mebibytes, millicores }: Boot["machine"]) =>
    `${mebibytes.toFixed(0)} MiB, ${millicores.toFixed(0)} millicores`;
