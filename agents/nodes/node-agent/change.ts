import { warning } from "../../../clients/kubernetes/nodes";
import { type ChangeObservation, type Decision, keepCordoned, type Step } from "./decision";
import type { Limits } from "./plan";
import { counted, type Memory } from "./progress";

// What the decisions about the kubelet, the container runtime and the CNI plugins share.
//
// A change waits for its download, its turn and the drain. It settles, or is reverted. After a revert it has failed until
// something else is desired or another pod of the agent retries, and the node stays cordoned. Unknown observations start
// nothing, and count against only one timeout.

/** What a change replaces, and with what. */
export interface Trip<Item> {
    readonly from: Item;
    readonly to: Item;
}

/** A change that failed. `Id` is what it names the item by. */
export interface FailedChange<Id> {
    readonly phase: "failed";
    readonly to: Id;
    readonly reason: string;
    /** UID of the agent's pod that failed; another one may retry. */
    readonly pod: string;
}

/**
 * A journal of a change is on the disk: across all runs of the agent, all its releases and all boots of the machine.
 *
 * @returns the item that should run in its phase
 */
export function targetOf<Item>(journal: {
    readonly phase: string;
    readonly from?: Item;
    readonly to?: unknown;
}): Item | undefined {
    return journal.from && (journal.phase === "reverting" ? journal.from : (journal.to as Item));
}

/** What memory counts while a node can't be drained. */
const unwell = "idle and unwell";

/**
 * Counts an observation.
 *
 * @param faults - why the item that should run does not work; never empty if the node is unknown. @default - none should run
 * @param isUnwell - whether the node can't be drained
 */
export function remember(
    { phase, attempts }: { readonly phase: string; readonly attempts?: number },
    { node, left = [] }: ChangeObservation,
    [before, now]: readonly [before: Memory | undefined, now: number],
    faults: readonly string[] | undefined,
    isUnwell = false,
): Memory {
    const isKnown = node !== "unknown";
    const isDraining = isKnown && node.isCordoned && left.length > 0;
    const idle = isUnwell ? unwell : isDraining ? "idle, draining" : "idle";
    const about = faults ? `${phase} ${attempts ?? ""}` : isKnown ? idle : (before?.about ?? "idle");
    return counted(before, { about, isKnown, isWell: faults?.length === 0, now });
}

/** Whether a node could not be drained for so long that it has nothing to lose. */
export function isDead({ about, observed }: Memory, { ready }: Limits): boolean {
    return about === unwell && observed >= ready;
}

/** Downloads what a change needs. */
export function fetchFirst<Action>(
    part: string,
    action: Action,
    needed: string,
    { fetchProblem }: ChangeObservation,
): Step<Action> {
    const notice = fetchProblem === undefined ? undefined : warning(`${part}FetchFailed`, fetchProblem);
    return { actions: [action], notReadyBecause: `${needed} must be fetched`, notice };
}

/** Cordons the node in its turn, before a change begins. @returns nothing once it is cordoned */
export function cordonFirst(label: string, { node, rebootOf }: ChangeObservation): Step<never> | undefined {
    // Checked in each reconcile, also after the cordon, which the reboot approver checks.
    if (rebootOf !== undefined) return { notReadyBecause: `${label}: waiting for the reboot of ${rebootOf}` };
    if (node !== "unknown" && node.isCordoned) return undefined;
    return { actions: ["cordon"], notReadyBecause: "the node must be cordoned" };
}

/** Drains the node after that. @returns nothing once it is drained */
export function drainFirst(
    part: string,
    label: string,
    left: readonly string[],
    { observed }: Memory,
    { drain }: Limits,
): Step<never> | undefined {
    if (left.length === 0) return undefined;
    const message = `draining the node for ${label}: ${left.join("; ")}`;
    const notice = observed >= drain ? warning(`${part}DrainBlocked`, message) : undefined;
    return { actions: ["evict"], notReadyBecause: message, notice };
}

/** Whether an item has worked for a while. */
export function isSettled(faults: readonly string[], { settled }: Memory, { settle }: Limits): boolean {
    return faults.length === 0 && settled >= settle;
}

/** Why an item that was started is given up. @returns nothing before time is up */
export function overdue(
    label: string,
    { node }: ChangeObservation,
    faults: readonly string[],
    memory: Memory,
    { ready, silent }: Limits,
): string | undefined {
    if (memory.observed < ready && memory.silent < silent) return undefined;
    if (node === "unknown") return `the API has not answered for ${silent} s since ${label} was started`;
    const problems = faults.join(", ") || "it did not stay healthy";
    return `${label} did not work within ${Math.floor(memory.observed)} s: ${problems}`;
}

/**
 * Keeps the node cordoned until the change may be retried.
 *
 * @param isSame - whether what failed is still desired, and still fails
 */
export function stayFailed<Failed extends FailedChange<unknown>>(
    event: string,
    journal: Failed,
    { node, pod }: ChangeObservation,
    isSame: boolean,
): Omit<Decision<Failed | { readonly phase: "idle" }, never>, "memory"> {
    const { reason } = journal;
    if (pod !== journal.pod || !isSame) {
        return { actions: [], journal: { phase: "idle" }, notReadyBecause: reason };
    }
    const message = `${reason}. The node stays cordoned; delete its node-agent pod to retry`;
    return { actions: keepCordoned(node), journal, notReadyBecause: reason, notice: warning(event, message) };
}
