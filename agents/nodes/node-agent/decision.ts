import { type Notice, warning } from "../../../clients/kubernetes/nodes";
import type { Memory } from "./progress";

/** What is observed for a change of any part of the node, next to the part itself. */
export interface ChangeObservation {
    /** The Node in the API. */
    readonly node: "unknown" | { readonly isCordoned: boolean; readonly isLeaving: boolean };
    /** What is desired, or why there is nothing. */
    readonly desired: object | { readonly refusal: string };
    /** What is desired is complete on the disk. */
    readonly isHere: boolean;
    /** Why the last download failed. */
    readonly fetchProblem?: string;
    /** Pods to evict first, each with its state. @default - none */
    readonly left?: readonly string[];
    /** Another node whose machine is being rebooted. @default - none */
    readonly rebootOf?: string;
    /** UID of the pod that the agent runs in. */
    readonly pod: string;
}

/** What to do about the node. */
export interface Step<Action> {
    /** In this order, after the journal is written. @default - nothing */
    readonly actions?: readonly (Action | "cordon" | "evict")[];
    /** Why the node is not in the desired state; progress of a change. @default - it is */
    readonly notReadyBecause?: string | undefined;
    readonly notice?: Notice | undefined;
}

/** A step, and what is known after it. */
export interface Decision<Journal, Action> extends Step<Action> {
    readonly actions: readonly (Action | "cordon" | "evict")[];
    readonly journal: Journal;
    readonly memory: Memory;
}

/** What keeps the node from its desired state, and is reported as an event too. */
export function warned(reason: string, problem: string) {
    return { notReadyBecause: problem, notice: warning(reason, problem) };
}

/** Keeps a node cordoned on which something failed: it may have been uncordoned manually, or registered again. */
export function keepCordoned(node: ChangeObservation["node"]): readonly "cordon"[] {
    return node !== "unknown" && !node.isCordoned && !node.isLeaving ? ["cordon"] : [];
}
