import { normal, warning } from "../../../clients/kubernetes/nodes";
import { type ChangeObservation, type Decision, keepCordoned, type Step } from "./decision";
import type { Limits } from "./plan";
import { counted, type Memory } from "./progress";

/**
 * Progress of a change of a part of the node, on the disk: across all runs of the agent, all its releases and all boots
 * of the machine.
 */
export type ChangeJournal<Item, Busy = unknown, Back = { readonly pod: string }, Phase = "changing", Id = Item> =
    | { readonly phase: "idle" }
    | ({ readonly phase: Phase; readonly from: Item; readonly to: Item } & Busy)
    // `pod`: UID of the agent's pod that gave up.
    | ({ readonly phase: "reverting"; readonly from: Item; readonly to: Item; readonly reason: string } & Back)
    // `pod`: UID of the agent's pod that failed; another one may retry.
    | { readonly phase: "failed"; readonly to: Id; readonly reason: string; readonly pod: string };

/** A journal during a change, during its revert, and after that. */
export type Changing<Journal> = Exclude<Journal, { readonly phase: "idle" | "reverting" | "failed" }>;
export type Reverting<Journal> = Extract<Journal, { readonly phase: "reverting" }>;
export type Failed<Journal> = Extract<Journal, { readonly phase: "failed" }>;

/** An observation with which a change may begin. */
export type Known<Observed extends ChangeObservation> = Observed & {
    readonly node: Exclude<Observed["node"], "unknown">;
    readonly desired: Exclude<Observed["desired"], { readonly refusal: string }>;
};

interface Trip<Item> {
    readonly from: Item;
    readonly to: Item;
}

/** A change that may begin. */
interface Beginning<Item, Action> extends Trip<Item> {
    readonly actions: readonly Action[];
    /** @default "switching from … to …" */
    readonly change?: string;
}

/** How a change, or its revert, is going: `done`, not working because of a `fault`, or still going on. */
interface Course<Journal, Action> extends Omit<Step<Action>, "notice"> {
    /** @default - the same */
    readonly journal?: Journal;
    readonly done?: string | undefined;
    readonly fault?: string | undefined;
}

/** The item that should run in a phase. */
export function targetOf<Item>(journal: ChangeJournal<Item, unknown, unknown, string, unknown>): Item | undefined {
    if (!("from" in journal)) return undefined;
    return journal.phase === "reverting" ? journal.from : (journal.to as Item);
}

/** What memory counts while a node can't be drained. */
const unwell = "idle and unwell";

/**
 * Decides what to do about a part of the node: pure functions of its journal and what is observed.
 *
 * A change waits for its download, its turn and the drain. It settles, or is reverted. After a revert it has failed until
 * something else is desired or another pod of the agent retries, and the node stays cordoned. Unknown observations start
 * nothing, and count against only one timeout.
 */
export abstract class ChangeMachine<
    Journal extends ChangeJournal<Item, unknown, { readonly pod?: string }, string, unknown>,
    Item extends object,
    Observed extends ChangeObservation,
    Action extends string,
> {
    /** The beginning of its events' reasons: `KubeletReverting`. */
    protected abstract readonly name: string;
    protected abstract readonly events: Readonly<Record<"begun" | "done" | "failed", string>>;
    protected abstract readonly fetch: Action;
    /** Phase and own fields of the journal when a change begins. */
    protected abstract readonly begun: Pick<Journal, "phase">;
    /** Own fields of the journal when a revert begins. */
    protected readonly reverted: object = {};
    /** Whether a failure is recorded even if the agent's pod that gave up no longer exists, so that the next retries. */
    protected readonly recordsFailure: boolean = false;

    /** Distinguishes an item from another. */
    protected abstract label(item: Item, other: Item): string;
    /** Whether what failed is still desired, and still fails. */
    protected abstract isSame(failed: Failed<Journal>, observed: Observed): boolean;
    /** While idle: why nothing is to be done, or what is to be downloaded if it is missing. */
    protected abstract need(observed: Observed): Step<Action> | { readonly missing: string };
    /** Then: what a change waits for, why the desired item can't work, or the change. */
    protected abstract begin(
        observed: Known<Observed>,
        isDead: boolean,
    ): Step<Action> | { readonly fault: string } | Beginning<Item, Action>;
    /**
     * @param isSettled - whether the item has worked for a while
     * @default - waits for that, or until time is up
     */
    protected abstract attempt(
        journal: Changing<Journal>,
        observed: Observed,
        isSettled: boolean,
    ): Course<Journal, Action> | undefined;
    /** Actions that begin a revert. */
    protected abstract back(observed: Observed, from: Item): readonly Action[];
    /** @param isLate - whether time is up */
    protected abstract revert(
        journal: Reverting<Journal>,
        observed: Observed,
        isSettled: boolean,
        isLate: boolean,
    ): Course<Journal, Action>;

    /** What the journal of a failure names. */
    protected idOf(item: object): unknown {
        return item;
    }

    /** What is wrong with an item that was started. @default - `attempt` and `revert` know */
    protected faults(_: Observed, _item: Item): readonly string[] | undefined {
        return undefined;
    }

    /** Whether the node can't be drained. */
    protected isUnwell(_: Observed): boolean {
        return false;
    }

    readonly decide = (
        journal: Journal,
        observed: Observed,
        before: Memory | undefined,
        now: number,
        limits: Limits,
    ): Decision<Journal, Action> => {
        const memory = this.#remember(journal, observed, before, now);
        switch (journal.phase) {
            case "idle":
                return this.#decideIdle(observed, memory, limits);
            case "reverting":
                return this.#decideReverting(journal as Reverting<Journal>, observed, memory, limits);
            case "failed":
                return this.#decideFailed(journal as Failed<Journal>, observed, memory);
            default:
                return this.#decideChanging(journal as Changing<Journal>, observed, memory, limits);
        }
    };

    #remember(journal: Journal, observed: Observed, before: Memory | undefined, now: number): Memory {
        const isKnown = observed.node !== "unknown";
        const target = targetOf<Item>(journal);
        const idle = isKnown ? this.#aboutIdle(observed) : (before?.about ?? "idle");
        const about = target ? `${journal.phase} ${"attempts" in journal ? journal.attempts : ""}` : idle;
        return counted(before, { about, isKnown, isWell: target !== undefined && this.#isWell(observed, target), now });
    }

    #aboutIdle(observed: Observed): string {
        const { node, left = [] } = observed;
        if (this.isUnwell(observed)) return unwell;
        return node !== "unknown" && node.isCordoned && left.length > 0 ? "idle, draining" : "idle";
    }

    #isWell(observed: Observed, item: Item): boolean {
        return observed.node !== "unknown" && this.faults(observed, item)?.length === 0;
    }

    #decideIdle(observed: Observed, memory: Memory, { drain, ready }: Limits): Decision<Journal, Action> {
        const { isHere, fetchProblem, left = [], rebootOf, pod } = observed;
        const idle = (step: Step<Action>) => ({ actions: [], ...step, journal: { phase: "idle" } as Journal, memory });
        const need = this.need(observed);
        if (!("missing" in need)) {
            return idle(need);
        }
        if (!isHere) {
            const notice = fetchProblem === undefined ? undefined : warning(`${this.name}FetchFailed`, fetchProblem);
            return idle({ actions: [this.fetch], notReadyBecause: `${need.missing} must be fetched`, notice });
        }
        const known = observed as Known<Observed>;
        // It terminates no pods, and has nothing to lose.
        const isDead = memory.about === unwell && memory.observed >= ready;
        const next = this.begin(known, isDead);
        if ("fault" in next) {
            const failed = { phase: "failed", to: this.idOf(known.desired), reason: next.fault, pod };
            return this.#decideFailed(failed as Failed<Journal>, observed, memory);
        }
        if (!("to" in next)) {
            return idle(next);
        }
        const { from, to, actions } = next;
        const [old, label] = [this.label(from, to), this.label(to, from)];
        // Checked in each reconcile, also after the cordon, which the reboot approver checks.
        if (rebootOf !== undefined) {
            return idle({ notReadyBecause: `${label}: waiting for the reboot of ${rebootOf}` });
        }
        if (!known.node.isCordoned) {
            return idle({ actions: ["cordon"], notReadyBecause: "the node must be cordoned" });
        }
        if (left.length > 0 && !isDead) {
            const message = `draining the node for ${label}: ${left.join("; ")}`;
            const notice = memory.observed >= drain ? warning(`${this.name}DrainBlocked`, message) : undefined;
            return idle({ actions: ["evict"], notReadyBecause: message, notice });
        }
        const { change = `switching from ${old} to ${label}` } = next;
        const { phase, ...own } = this.begun;
        const journal = { phase, from, to, ...own } as object as Journal;
        return { actions, journal, memory, notReadyBecause: change, notice: normal(this.events.begun, change) };
    }

    #decideChanging(
        journal: Changing<Journal>,
        observed: Observed,
        memory: Memory,
        limits: Limits,
    ): Decision<Journal, Action> {
        const { from, to } = journal as Trip<Item>;
        const [old, label] = [this.label(from, to), this.label(to, from)];
        const isSettled = memory.settled >= limits.settle && this.#isWell(observed, to);
        const course: Course<Journal, Action> =
            this.attempt(journal, observed, isSettled) ??
            (isSettled ? { done: `${label} replaced ${old}` } : this.#wait(label, observed, to, memory, limits));
        const { actions = [], notReadyBecause = `waiting for ${label}`, done, fault } = course;
        if (done !== undefined) {
            const idle = { phase: "idle" } as Journal;
            return { actions, journal: idle, memory, notReadyBecause, notice: normal(this.events.done, done) };
        }
        if (fault === undefined) {
            return { actions, journal: course.journal ?? journal, memory, notReadyBecause };
        }
        const reverting = { phase: "reverting", from, to, reason: fault, ...this.reverted, pod: observed.pod };
        return {
            actions: this.back(observed, from),
            journal: reverting as object as Journal,
            memory,
            notReadyBecause: fault,
            notice: warning(`${this.name}Reverting`, `${fault}; reverting to ${old}`),
        };
    }

    /** For an item that was started, until time is up. */
    #wait(label: string, observed: Observed, item: Item, memory: Memory, { ready, silent }: Limits) {
        if (memory.observed < ready && memory.silent < silent) return {};
        if (observed.node === "unknown")
            return { fault: `the API has not answered for ${silent} s since ${label} was started` };
        const faults = this.faults(observed, item)?.join(", ") || "it did not stay healthy";
        return { fault: `${label} did not work within ${Math.floor(memory.observed)} s: ${faults}` };
    }

    #decideReverting(
        journal: Reverting<Journal>,
        observed: Observed,
        memory: Memory,
        limits: Limits,
    ): Decision<Journal, Action> {
        const { from, to, reason, pod = observed.pod } = journal as Trip<Item> & { reason: string; pod?: string };
        const isSettled = memory.settled >= limits.settle && this.#isWell(observed, from);
        const course = this.revert(journal, observed, isSettled, memory.observed >= limits.ready);
        const { done, fault, actions = [] } = course;
        if (done !== undefined) {
            const failed = { phase: "failed", to: this.idOf(to), reason: `${reason}; ${done}`, pod };
            const decision = this.#decideFailed(failed as Failed<Journal>, observed, memory);
            return this.recordsFailure ? { ...decision, journal: failed as Failed<Journal> } : decision;
        }
        const notReadyBecause = fault === undefined ? reason : `${reason}; ${fault}`;
        const notice = fault === undefined ? undefined : warning(`${this.name}Lost`, notReadyBecause);
        return { actions, journal: course.journal ?? journal, memory, notReadyBecause, notice };
    }

    #decideFailed(journal: Failed<Journal>, observed: Observed, memory: Memory): Decision<Journal, Action> {
        const { reason, pod } = journal as { readonly reason: string; readonly pod: string };
        if (pod !== observed.pod || !this.isSame(journal, observed)) {
            return { actions: [], journal: { phase: "idle" } as Journal, memory, notReadyBecause: reason };
        }
        const message = `${reason}. The node stays cordoned; delete its node-agent pod to retry`;
        const notice = warning(this.events.failed, message);
        return { actions: keepCordoned(observed.node), journal, memory, notReadyBecause: reason, notice };
    }
}
