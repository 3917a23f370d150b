import { setTimeout as sleep } from "node:timers/promises";
import { createMachine, destroyMachine, powerCut, reboot } from "../../../machines";
import { answersDuring, firstAnswer, hasReadyPod } from "./api";
import type { Idle } from "./idle-process";
import { type Contender, onceWritten, startOf } from "./timed-boot";

/** How a control plane came back: milliseconds until an administrator's request is served. */
export interface Returns {
    /** From the moment the power goes. It comes back at once. */
    readonly powerCut: number;
    /** From the command to reboot, the shutdown in good order included. */
    readonly reboot: number;
    /** From the machine's start after that shutdown. */
    readonly boot: number;
    /** The longest time without an answer meanwhile. */
    readonly gap: number;
    /** What was measured while nothing happened. */
    readonly idle: readonly Idle[];
}

const DEADLINE_MS = 300_000;
const SETTLE_MS = 20_000;
const NAMESPACES = "/api/v1/namespaces";
const PODS = "/api/v1/namespaces/kube-system/pods";

/**
 * Boots a machine, waits for its control plane, and takes the power from it, then reboots it.
 *
 * @param complete - prefix of the pod that is Ready when the control plane is all there
 * @param idle - measures what works in vain while nothing happens
 */
export async function timedReturns(
    contender: Contender,
    complete: string,
    signal: AbortSignal,
    idle: () => Promise<Idle[]>,
): Promise<Returns> {
    const { cluster, node, address, config } = contender;
    const limits = () => ({ deadline: Date.now() + DEADLINE_MS, signal });
    try {
        await createMachine({ cluster, name: node, address, config });
        await contender.start?.();
        const access = await contender.access(limits());
        await onceWritten(contender, { path: contender.done, test: "-e", print: "stat -c %.3Y" }, limits());
        const isWhole = () => firstAnswer(access, PODS, limits(), (body) => hasReadyPod(body, complete));
        const served = () => firstAnswer(access, NAMESPACES, limits());
        await isWhole();
        const cost = await idle();
        const cut = Date.now();
        await powerCut(cluster, node);
        const afterCut = (await served()) - cut;
        // What the API says of pods right after the cut is older than that.
        await sleep(SETTLE_MS, undefined, { signal });
        await isWhole();
        const told = Date.now();
        const { first, longestGap } = await answersDuring(access, NAMESPACES, limits, () => reboot(cluster, node));
        return {
            powerCut: afterCut,
            reboot: first - told,
            boot: first - (await startOf(cluster, node)),
            gap: longestGap,
            idle: cost,
        };
    } finally {
        await destroyMachine(cluster, node);
    }
}
