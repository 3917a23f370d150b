import { withBenchNetwork } from "./control-plane/bench-network";
import { kubeadm, ours } from "./control-plane/contenders";
import { type Idle, idleProcesses, type Returns, timedReturns } from "./control-plane/timed-returns";
import { type Group, median, type Result } from "./report";

const CLUSTER = "bench-reboot";
const PAIRS = 2;
const CHECKPOINTER = "^node .*checkpointer.js";
const KUBELET = "^[^ ]*/kubelet ";

/** A single controller after a power cut and a reboot, compared to kubeadm's static pods on the same machine. */
export const run: Group = ({ result, say }, { signal }) =>
    withBenchNetwork(CLUSTER, say, async (subnet) => {
        const mine = {
            contender: await ours(CLUSTER, subnet),
            // Ours is only complete once every checkpoint is saved, so that it can lose its API.
            until: "checkpointer-",
            patterns: [CHECKPOINTER, KUBELET],
            returns: [] as Returns[],
        };
        const theirs = {
            contender: kubeadm(CLUSTER, subnet),
            until: "kube-apiserver-",
            patterns: [],
            returns: [] as Returns[],
        };
        for (let pair = 0; pair < PAIRS; pair++) {
            // The order alternates, so that background load affects both equally.
            for (const { contender, until, patterns, returns } of pair % 2 === 0 ? [mine, theirs] : [theirs, mine]) {
                say(`pair ${pair + 1} of ${PAIRS}: ${contender.title}`);
                const idle = async () => (patterns.length > 0 ? idleProcesses(contender, patterns, signal) : []);
                const timed = await timedReturns(contender, until, signal, idle);
                say(describe(timed));
                returns.push(timed);
            }
        }
        for (const each of results(mine.returns, theirs.returns)) {
            result(each);
        }
    });

/** Medians of ours divided by those of kubeadm. */
export function results(mine: readonly Returns[], theirs: readonly Returns[]): Result[] {
    const measure = (name: string, peer: string, of: (returns: Returns) => number) => {
        const value = median(mine.map(of)) / 1000;
        return {
            name: `reboot.${name}`,
            value,
            unit: "s",
            peer,
            ratio: value / (median(theirs.map(of)) / 1000),
            goal: 1.2,
        };
    };
    return [
        measure("power-cut-to-api", "kubeadm's static pods: power cut to API", ({ powerCut }) => powerCut),
        measure("reboot-to-api", "kubeadm's static pods: reboot to API", ({ reboot }) => reboot),
        measure("boot-to-api", "kubeadm's static pods: machine start after a reboot to API", ({ boot }) => boot),
        measure("api-gap", "kubeadm's static pods: longest gap during a reboot", ({ gap }) => gap),
        ...idleResults(mine),
    ];
}

/** Idle usage of the checkpointer, relative to the kubelet on the same machine. */
function idleResults(mine: readonly Returns[]): Result[] {
    const measure = (name: string, unit: string, goal: number, of: (idle: Idle) => number) => {
        const at = (index: number) => median(mine.flatMap(({ idle }) => idle.slice(index, index + 1).map(of)));
        const [value, kubelet] = [at(0), at(1)];
        const peer = "the kubelet of the same machine";
        return { name: `reboot.checkpointer-idle-${name}`, value, unit, peer, ratio: value / kubelet, goal };
    };
    return [measure("memory", "MiB", 1, ({ mebibytes }) => mebibytes), measure("cpu", "CPUs", 0.5, ({ cpu }) => cpu)];
}

function describe({ powerCut, reboot, boot, gap, idle }: Returns): string {
    const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;
    const cost = idle
        .slice(0, 1)
        .map(({ mebibytes, cpu }) => `; idle ${mebibytes.toFixed(0)} MiB, ${(cpu * 100).toFixed(2)} % of a CPU`);
    return `    API ${seconds(powerCut)} after a power cut, ${seconds(reboot)} after a reboot (${seconds(boot)} of it from the start of the machine), longest gap ${seconds(gap)}${cost.join("")}`;
}
