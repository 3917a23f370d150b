import { withBenchNetwork } from "./control-plane/bench-network";
import { kubeadm, ours } from "./control-plane/contenders";
import { totalMemory } from "./control-plane/memory";
import { type Boot, timedBoot } from "./control-plane/timed-boot";
import { type Group, median, type Result } from "./report";

const CLUSTER = "bench-boot";
const PAIRS = 2;

/** Time until the control plane of one controller serves and is complete, compared to `kubeadm init` on the same machine. */
export const run: Group = ({ result, say }, { signal }) =>
    withBenchNetwork(CLUSTER, say, async (subnet) => {
        const mine = { contender: await ours(CLUSTER, subnet), boots: [] as Boot[] };
        const theirs = { contender: kubeadm(CLUSTER, subnet), boots: [] as Boot[] };
        for (let pair = 0; pair < PAIRS; pair++) {
            // The order alternates, so that background load affects both equally.
            for (const { contender, boots } of pair % 2 === 0 ? [mine, theirs] : [theirs, mine]) {
                say(`pair ${pair + 1} of ${PAIRS}: ${contender.title}`);
                const boot = await timedBoot(contender, signal, say);
                say(describe(boot));
                boots.push(boot);
            }
        }
        for (const each of results(mine.boots, theirs.boots)) {
            result(each);
        }
    });

/** Medians of our boots divided by those of kubeadm. */
export function results(mine: readonly Boot[], theirs: readonly Boot[]): Result[] {
    const measure = (name: string, unit: string, peer: string, goal: number, of: (boot: Boot) => number) => {
        const value = median(mine.map(of));
        return { name: `bootstrap.${name}`, value, unit, peer, ratio: value / median(theirs.map(of)), goal };
    };
    return [
        measure("first-api", "s", "kubeadm init: first API request served", 0.55, ({ firstApi }) => firstApi / 1000),
        measure("pivot-complete", "s", "kubeadm init: completed", 1.2, ({ complete }) => complete / 1000),
        measure("controller-memory", "MiB", "kubeadm init: same processes", 1.0, ({ memory }) => totalMemory(memory)),
    ];
}

function describe({ firstApi, complete, memory, machine }: Boot): string {
    const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;
    const parts = Object.entries(memory).map(([name, mebibytes]) => `${name} ${mebibytes.toFixed(0)}`);
    return `    first API ${seconds(firstApi)}, complete ${seconds(complete)}, ${totalMemory(memory).toFixed(0)} MiB (${parts.join(", ")}), idle ${machine.millicores.toFixed(0)} millicores`;
}
