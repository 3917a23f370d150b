import { type Notice, normal, warning } from "../../../../clients/kubernetes/node-event";
import { counted, keepCordoned, type Memory } from "../memory";
import type { Limits } from "../plan";
import type { RebootJournal } from "./journal";

/** What is seen of the node and of whose turn it is to reboot. */
export interface RebootSight {
    /** Whether nodes are rebooted at all. */
    readonly isOn: boolean;
    /** Id of the machine's boot. @default - the machine tells none */
    readonly boot?: string;
    /** The OS has asked for a reboot in this boot. */
    readonly isWanted: boolean;
    /** The Node as the API has it. */
    readonly node: "unknown" | RebootNodeSight;
    /** The kubelet is the one that the node is to have, and no change of it is under way. */
    readonly isKubeletAsWanted: boolean;
    /** The kubelet says that it is well. */
    readonly isHealthy: boolean;
    /** Seconds since 1970 until which the node may begin with what it asked for in this boot. @default - not its turn */
    readonly until?: number;
    /** Pods that have to go before, each with its state. */
    readonly left: readonly string[];
    /** UID of the pod that the agent runs in. */
    readonly pod: string;
    /** Seconds since 1970. */
    readonly time: number;
}

export interface RebootNodeSight {
    readonly isReady: boolean;
    readonly isCordoned: boolean;
    /** It is being removed from the cluster. */
    readonly isLeaving: boolean;
    /** The boot in which it asked for its turn. @default - it did not */
    readonly asked?: string;
}

/** `yield`: another member leads etcd, where this machine's does. */
export type RebootAction = "ask" | "withdraw" | "cordon" | "evict" | "yield" | "reboot" | "recall";

export interface RebootDecision {
    /** Done in this order, after the journal is written. */
    readonly actions: readonly RebootAction[];
    readonly journal: RebootJournal;
    readonly memory: Memory;
    /** What of a reboot is under way: nothing else is done to the node then. @default - nothing */
    readonly amiss?: string;
    readonly notice?: Notice;
}

/** What to do about a reboot that the node's OS asks for. One boot is ended by one reboot at most. */
export function decideReboot(
    journal: RebootJournal,
    sight: RebootSight,
    before: Memory | undefined,
    now: number,
    limits: Limits,
): RebootDecision {
    const memory = remember(journal, sight, before, now);
    switch (journal.phase) {
        case "idle":
            return decideIdle(journal, sight, memory, limits);
        case "rebooting":
            return decideRebooting(journal, sight, memory, limits);
        case "failed":
            return decideFailed(journal, sight, memory);
    }
}

function remember(
    { phase }: RebootJournal,
    { node, boot, until, isHealthy }: RebootSight,
    before: Memory | undefined,
    now: number,
): Memory {
    // What is not known for a moment starts no count anew.
    const isDraining = phase === "idle" && node !== "unknown" && until !== undefined && node.isCordoned;
    const isSame = phase === "idle" && node === "unknown" && before !== undefined;
    const about = isSame ? before.about : `${phase} in ${boot}${isDraining ? ", draining" : ""}`;
    const isWell = node !== "unknown" && node.isReady && isHealthy;
    return counted(before, { about, isKnown: node !== "unknown", isWell, now });
}

type Idle = Extract<RebootJournal, { phase: "idle" }>;

function decideIdle(journal: Idle, sight: RebootSight, memory: Memory, limits: Limits): RebootDecision {
    const { isOn, boot, isWanted, node, isKubeletAsWanted, isHealthy, until, left, time } = sight;
    const idle = (amiss?: string, actions: readonly RebootAction[] = [], notice?: Notice): RebootDecision => ({
        actions,
        journal,
        memory,
        ...(amiss !== undefined && { amiss }),
        ...(notice && { notice }),
    });
    const putOff = (why: string): RebootDecision => ({
        actions: ["withdraw"],
        journal: { phase: "idle", notBefore: time + limits.rest },
        memory,
        notice: warning("OsRebootPutOff", `The reboot is put off: ${why}`),
    });
    if (node === "unknown") {
        return idle();
    }
    const isResting = journal.notBefore !== undefined && time < journal.notBefore;
    if (!isOn || boot === undefined || !isWanted || node.isLeaving || !isKubeletAsWanted || isResting) {
        const notice = isOn && boot === undefined ? warning("OsRebootUnsupported", unsupported) : undefined;
        return idle(undefined, node.asked === undefined ? [] : ["withdraw"], notice);
    }
    if (node.asked !== boot) {
        return idle(undefined, ["ask"], normal("OsRebootWanted", "The OS asks for a reboot, which waits for its turn"));
    }
    if (until === undefined) {
        return idle();
    }
    if (time >= until) {
        return putOff("its window is over");
    }
    if (!(node.isReady && isHealthy)) {
        return idle("the reboot waits for the node to be Ready");
    }
    if (!node.isCordoned) {
        return idle("the node is to be cordoned for its reboot", ["cordon"]);
    }
    if (left.length > 0) {
        const pods = left.join("; ");
        return memory.seen >= limits.drain
            ? putOff(`the node was not drained in ${limits.drain} s: ${pods}`)
            : idle(`the node is drained for its reboot: ${pods}`, ["evict"]);
    }
    return {
        actions: ["yield", "reboot"],
        journal: { phase: "rebooting", boot },
        memory,
        amiss: goingDown,
        notice: normal("OsRebooting", "The machine reboots, since its OS asks for it"),
    };
}

const goingDown = "the machine is to reboot";

const unsupported =
    "The node-agent can't reboot this machine: os-boot.service, which machines of now are made with, has not run here. Make the machine anew, or reboot it by hand";

type Rebooting = Extract<RebootJournal, { phase: "rebooting" }>;

function decideRebooting(journal: Rebooting, sight: RebootSight, memory: Memory, limits: Limits): RebootDecision {
    const { boot, node } = sight;
    const { seen, silent, settled } = memory;
    if (boot === journal.boot) {
        return seen + silent < limits.reboot
            ? { actions: ["reboot"], journal, memory, amiss: goingDown }
            : fail(journal, `the machine did not reboot in ${limits.reboot} s`, sight, memory, ["recall"]);
    }
    const amiss = "the machine rebooted, and its node is awaited";
    if (node === "unknown") {
        return { actions: [], journal, memory, amiss };
    }
    if (settled >= limits.settle) {
        return {
            actions: node.asked === undefined ? [] : ["withdraw"],
            journal: { phase: "idle", notBefore: sight.time + limits.rest },
            memory,
            amiss,
            notice: normal("OsRebooted", "The machine rebooted, as its OS had asked for, and the node is Ready"),
        };
    }
    return seen < limits.reboot
        ? { actions: [], journal, memory, amiss }
        : fail(journal, `the machine rebooted, and its node was not Ready in ${limits.reboot} s`, sight, memory);
}

function fail(
    { boot }: Rebooting,
    reason: string,
    sight: RebootSight,
    memory: Memory,
    before: readonly RebootAction[] = [],
): RebootDecision {
    const failed: RebootJournal = { phase: "failed", boot, reason, pod: sight.pod };
    const { actions, ...rest } = decideFailed(failed, sight, memory);
    return { ...rest, actions: [...before, ...actions] };
}

type Failed = Extract<RebootJournal, { phase: "failed" }>;

/** It keeps its turn, so that no other node follows it, until another pod of the agent finds that it is well. */
function decideFailed(journal: Failed, { pod, boot, node }: RebootSight, memory: Memory): RebootDecision {
    const { reason } = journal;
    if (pod !== journal.pod) {
        // One that never went down asks for another turn.
        const next: RebootJournal =
            boot === journal.boot ? { phase: "idle" } : { phase: "rebooting", boot: journal.boot };
        return { actions: next.phase === "idle" ? withdrawn(node) : [], journal: next, memory, amiss: reason };
    }
    return {
        actions: keepCordoned(node),
        journal,
        memory,
        amiss: reason,
        notice: warning(
            "OsRebootFailed",
            `${reason}. The node stays cordoned and no other is rebooted; delete its node-agent pod when it is mended`,
        ),
    };
}

function withdrawn(node: RebootSight["node"]): readonly RebootAction[] {
    return node !== "unknown" && node.asked !== undefined ? ["withdraw"] : [];
}
