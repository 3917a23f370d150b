import { normal, warning } from "../../../../clients/kubernetes/nodes";
import { type ChangeObservation, type Decision, keepCordoned, type Step } from "../decision";
import type { Limits } from "../plan";
import { counted, type Memory } from "../progress";

/** Progress of a reboot, on the disk. */
export type RebootJournal =
    | {
          readonly phase: "idle";
          /** Seconds since 1970 before which no other reboot is requested. @default - none */
          readonly notBefore?: number;
      }
    | {
          readonly phase: "rebooting";
          /** The boot that the reboot should end. */
          readonly boot: string;
      }
    | {
          readonly phase: "failed";
          readonly boot: string;
          readonly reason: string;
          /** UID of the agent's pod that failed: another one may check again. */
          readonly pod: string;
      };

/** Observed state of the node and its turn to reboot. */
export interface RebootObservation {
    /** Whether nodes are rebooted at all. */
    readonly isOn: boolean;
    /** ID of the machine's boot. @default - not recorded */
    readonly boot?: string;
    /** The OS has requested a reboot in this boot. */
    readonly isRequested: boolean;
    /** The Node in the API. */
    readonly node: "unknown" | RebootNodeObservation;
    /** The kubelet is the desired one, and is not being changed. */
    readonly isKubeletAsDesired: boolean;
    /** The kubelet reports that it is healthy. */
    readonly isHealthy: boolean;
    /**
     * Seconds since 1970 until which the node may start the reboot that it requested in this boot. @default - not its
     * turn
     */
    readonly until?: number;
    /** Pods to evict first, each with its state. */
    readonly left: readonly string[];
    /** UID of the pod that the agent runs in. */
    readonly pod: string;
    /** Seconds since 1970. */
    readonly time: number;
}

export interface RebootNodeObservation extends Exclude<ChangeObservation["node"], "unknown"> {
    readonly isReady: boolean;
    /** The boot in which it requested its turn. @default - no request */
    readonly asked?: string;
}

/** `yield`: moves the etcd leadership away from this machine's member. */
export type RebootAction = "ask" | "withdraw" | "yield" | "reboot" | "recall";

export type RebootDecision = Decision<RebootJournal, RebootAction>;

/** Decides what to do about a reboot requested by the node's OS. A boot ends with at most one reboot. */
export function decideReboot(
    journal: RebootJournal,
    observed: RebootObservation,
    before: Memory | undefined,
    now: number,
    limits: Limits,
): RebootDecision {
    const memory = remember(journal, observed, before, now);
    switch (journal.phase) {
        case "idle":
            return decideIdle(journal, observed, memory, limits);
        case "rebooting":
            return decideRebooting(journal, observed, memory, limits);
        case "failed":
            return decideFailed(journal, observed, memory);
    }
}

function remember(
    { phase }: RebootJournal,
    { node, boot, until, isHealthy }: RebootObservation,
    before: Memory | undefined,
    now: number,
): Memory {
    // A momentarily unknown state does not restart a count.
    const isDraining = phase === "idle" && node !== "unknown" && until !== undefined && node.isCordoned;
    const isSame = phase === "idle" && node === "unknown" && before !== undefined;
    const about = isSame ? before.about : `${phase} in ${boot}${isDraining ? ", draining" : ""}`;
    const isWell = node !== "unknown" && node.isReady && isHealthy;
    return counted(before, { about, isKnown: node !== "unknown", isWell, now });
}

type Idle = Extract<RebootJournal, { phase: "idle" }>;

function decideIdle(journal: Idle, observed: RebootObservation, memory: Memory, limits: Limits): RebootDecision {
    const { isOn, boot, isRequested, node, isKubeletAsDesired, isHealthy, until, left, time } = observed;
    const idle = (step: Step<RebootAction> = {}): RebootDecision => ({ actions: [], ...step, journal, memory });
    const putOff = (why: string): RebootDecision => ({
        actions: ["withdraw"],
        journal: { phase: "idle", notBefore: time + limits.rest },
        memory,
        notice: warning("OsRebootPutOff", `The reboot is postponed: ${why}`),
    });
    if (node === "unknown") {
        return idle();
    }
    // A clock that was ahead must not delay a reboot for longer than a correct one.
    const rest = (journal.notBefore ?? time) - time;
    const isResting = rest > 0 && rest <= limits.rest;
    if (!isOn || boot === undefined || !isRequested || node.isLeaving || !isKubeletAsDesired || isResting) {
        const notice = isOn && boot === undefined ? warning("OsRebootUnsupported", unsupported) : undefined;
        return idle({ actions: withdrawn(node), notice });
    }
    if (node.asked !== boot) {
        const notice = normal("OsRebootRequested", "The OS requests a reboot, which is waiting for its turn");
        return idle({ actions: ["ask"], notice });
    }
    if (until === undefined) {
        return idle();
    }
    if (time >= until) {
        return putOff("its window is over");
    }
    if (!(node.isReady && isHealthy)) {
        return idle({ notReadyBecause: "the reboot is waiting for the node to be Ready" });
    }
    if (!node.isCordoned) {
        return idle({ actions: ["cordon"], notReadyBecause: "the node must be cordoned for its reboot" });
    }
    if (left.length > 0) {
        const pods = left.join("; ");
        return memory.observed >= limits.drain
            ? putOff(`the node was not drained within ${limits.drain} s: ${pods}`)
            : idle({ actions: ["evict"], notReadyBecause: `draining the node for its reboot: ${pods}` });
    }
    return {
        actions: ["yield", "reboot"],
        journal: { phase: "rebooting", boot },
        memory,
        notReadyBecause: goingDown,
        notice: normal("OsRebooting", "Rebooting the machine as its OS requested"),
    };
}

const goingDown = "the machine is about to reboot";

const unsupported =
    "The node-agent can't reboot this machine: os-boot.service, part of current machine configs, has not run here. Recreate the machine, or reboot it manually";

type Rebooting = Extract<RebootJournal, { phase: "rebooting" }>;

function decideRebooting(
    journal: Rebooting,
    observed: RebootObservation,
    memory: Memory,
    limits: Limits,
): RebootDecision {
    const { boot, node } = observed;
    const { observed: known, silent, settled } = memory;
    if (boot === journal.boot) {
        return known + silent < limits.reboot
            ? { actions: ["reboot"], journal, memory, notReadyBecause: goingDown }
            : fail(journal, `the machine did not reboot within ${limits.reboot} s`, observed, memory, ["recall"]);
    }
    const notReadyBecause = "the machine rebooted; waiting for its node";
    if (node === "unknown") {
        return { actions: [], journal, memory, notReadyBecause };
    }
    if (settled >= limits.settle) {
        return {
            actions: withdrawn(node),
            journal: { phase: "idle", notBefore: observed.time + limits.rest },
            memory,
            notReadyBecause,
            notice: normal("OsRebooted", "The machine rebooted as its OS requested, and the node is Ready"),
        };
    }
    return known < limits.reboot
        ? { actions: [], journal, memory, notReadyBecause }
        : fail(journal, `the machine rebooted, but its node was not Ready within ${limits.reboot} s`, observed, memory);
}

function fail(
    { boot }: Rebooting,
    reason: string,
    observed: RebootObservation,
    memory: Memory,
    before: readonly RebootAction[] = [],
): RebootDecision {
    const failed: RebootJournal = { phase: "failed", boot, reason, pod: observed.pod };
    const { actions, ...rest } = decideFailed(failed, observed, memory);
    return { ...rest, actions: [...before, ...actions] };
}

type Failed = Extract<RebootJournal, { phase: "failed" }>;

/** It keeps its turn, so that no other node reboots, until another pod of the agent finds it healthy. */
function decideFailed(journal: Failed, { pod, boot, node }: RebootObservation, memory: Memory): RebootDecision {
    const { reason } = journal;
    if (pod !== journal.pod) {
        // A machine that never went down requests another turn.
        const next: RebootJournal =
            boot === journal.boot ? { phase: "idle" } : { phase: "rebooting", boot: journal.boot };
        return {
            actions: next.phase === "idle" ? withdrawn(node) : [],
            journal: next,
            memory,
            notReadyBecause: reason,
        };
    }
    return {
        actions: keepCordoned(node),
        journal,
        memory,
        notReadyBecause: reason,
        notice: warning(
            "OsRebootFailed",
            `${reason}. The node stays cordoned and no other node is rebooted; delete its node-agent pod once it is repaired`,
        ),
    };
}

function withdrawn(node: RebootObservation["node"]): readonly RebootAction[] {
    return node !== "unknown" && node.asked !== undefined ? ["withdraw"] : [];
}
