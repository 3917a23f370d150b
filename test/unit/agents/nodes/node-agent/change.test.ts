import assert from "node:assert/strict";
import fc from "fast-check";
import {
    type ChangeJournal,
    ChangeMachine,
    type Changing,
    type Failed,
    type Known,
    type Reverting,
    targetOf,
} from "../../../../../agents/nodes/node-agent/change";
import type { ChangeObservation } from "../../../../../agents/nodes/node-agent/decision";
import { defaultLimits as limits } from "../../../../../agents/nodes/node-agent/plan";
import type { Memory } from "../../../../../agents/nodes/node-agent/progress";

interface Program {
    readonly id: string;
}
type Journal = ChangeJournal<Program, { readonly isStarted: boolean }, { readonly isStarted: boolean; pod: string }>;
interface Seen extends ChangeObservation {
    readonly desired: Program | { readonly refusal: string };
    readonly running: Program;
    readonly works: boolean;
}

/** Starts a program in place of another. */
class ProgramMachine extends ChangeMachine<Journal, Program, Seen, "fetch" | "start"> {
    readonly name = "Program";
    readonly events = { begun: "ProgramChanging", done: "ProgramChanged", failed: "ProgramFailed" };
    readonly fetch = "fetch";
    readonly begun = { phase: "changing", isStarted: false } as const;
    override readonly reverted = { isStarted: false };

    label({ id }: Program) {
        return `program ${id}`;
    }
    isSame({ to }: Failed<Journal>, { desired }: Seen) {
        return !("refusal" in desired) && desired.id === to.id;
    }
    override faults({ running, works }: Seen, { id }: Program) {
        return running.id === id && works ? [] : ["it is mute"];
    }
    override isUnwell({ works }: Seen) {
        return !works;
    }
    need({ node, desired, running }: Seen) {
        if (node === "unknown" || "refusal" in desired) return { notReadyBecause: "nothing is known" };
        return running.id === desired.id ? {} : { missing: `program ${desired.id}` };
    }
    begin({ running, desired }: Known<Seen>) {
        return desired.id === "bad"
            ? { fault: "program bad is for another architecture" }
            : { from: running, to: desired, actions: this.back() };
    }
    attempt({ isStarted }: Changing<Journal>) {
        return isStarted ? undefined : { actions: this.back() };
    }
    back() {
        return ["start"] as const;
    }
    revert({ isStarted, from }: Reverting<Journal>, _: Seen, isSettled: boolean, isLate: boolean) {
        if (!isStarted) return { actions: this.back() };
        return isSettled ? { done: `program ${from.id} runs again` } : isLate ? { fault: "it is lost" } : {};
    }
}

const { decide } = new ProgramMachine();
const [old, next] = [{ id: "old" }, { id: "new" }];
const cordoned = { isCordoned: true, isLeaving: false };
const schedulable = { isCordoned: false, isLeaving: false };
const idle: Journal = { phase: "idle" };
const changing: Journal = { phase: "changing", from: old, to: next, isStarted: true };
const reverting: Journal = { phase: "reverting", from: old, to: next, reason: "it broke", isStarted: true, pod: "pod" };
const failed: Journal = { phase: "failed", to: next, reason: "it broke", pod: "pod" };

function observed(more: Partial<Seen>): Seen {
    return { node: cordoned, desired: next, running: old, works: true, isHere: true, pod: "pod", ...more };
}

type Row = [
    title: string,
    journal: Journal,
    observed: Partial<Seen>,
    seconds: number,
    expected: { journal?: Journal; actions?: string[]; notReadyBecause?: string; notice?: string },
];

const stays = "The node stays cordoned; delete its node-agent pod to retry";
const table: Row[] = [
    ["nothing is to be done", idle, { running: next }, 9999, {}],
    ["the API does not answer", idle, { node: "unknown" }, 9999, { notReadyBecause: "nothing is known" }],
    [
        "it must be downloaded",
        idle,
        { isHere: false },
        0,
        { actions: ["fetch"], notReadyBecause: "program new must be fetched" },
    ],
    [
        "it can't be downloaded",
        idle,
        { isHere: false, fetchProblem: "404" },
        0,
        { actions: ["fetch"], notReadyBecause: "program new must be fetched", notice: "ProgramFetchFailed: 404" },
    ],
    [
        "it can't work",
        idle,
        { desired: { id: "bad" }, node: schedulable },
        0,
        {
            journal: {
                phase: "failed",
                to: { id: "bad" },
                reason: "program bad is for another architecture",
                pod: "pod",
            },
            actions: ["cordon"],
            notReadyBecause: "program bad is for another architecture",
            notice: `ProgramFailed: program bad is for another architecture. ${stays}`,
        },
    ],
    [
        "another node is being rebooted",
        idle,
        { rebootOf: "other", node: schedulable },
        0,
        { notReadyBecause: "program new: waiting for the reboot of other" },
    ],
    [
        "the node must be cordoned",
        idle,
        { node: schedulable, left: ["n/p"] },
        0,
        { actions: ["cordon"], notReadyBecause: "the node must be cordoned" },
    ],
    [
        "pods must be evicted",
        idle,
        { left: ["n/p", "n/q"] },
        limits.drain - 1,
        { actions: ["evict"], notReadyBecause: "draining the node for program new: n/p; n/q" },
    ],
    [
        "pods stay",
        idle,
        { left: ["n/p"] },
        limits.drain,
        {
            actions: ["evict"],
            notReadyBecause: "draining the node for program new: n/p",
            notice: "ProgramDrainBlocked: draining the node for program new: n/p",
        },
    ],
    [
        "pods stay on a node that is dead",
        idle,
        { left: ["n/p"], works: false },
        limits.ready,
        {
            journal: { phase: "changing", from: old, to: next, isStarted: false },
            actions: ["start"],
            notReadyBecause: "switching from program old to program new",
            notice: "ProgramChanging: switching from program old to program new",
        },
    ],
    [
        "the change may begin",
        idle,
        {},
        0,
        {
            journal: { phase: "changing", from: old, to: next, isStarted: false },
            actions: ["start"],
            notReadyBecause: "switching from program old to program new",
            notice: "ProgramChanging: switching from program old to program new",
        },
    ],
    [
        "the change was interrupted",
        { ...changing, isStarted: false },
        {},
        9999,
        { actions: ["start"], notReadyBecause: "waiting for program new" },
    ],
    ["it has just started", changing, { running: next }, 1, { notReadyBecause: "waiting for program new" }],
    [
        "it works for a while",
        changing,
        { running: next },
        limits.settle,
        {
            journal: idle,
            notReadyBecause: "waiting for program new",
            notice: "ProgramChanged: program new replaced program old",
        },
    ],
    ["it does not work yet", changing, {}, limits.ready - 1, { notReadyBecause: "waiting for program new" }],
    [
        "it does not work in time",
        changing,
        { pod: "other" },
        limits.ready,
        {
            journal: {
                ...{ phase: "reverting", from: old, to: next },
                reason: "program new did not work within 180 s: it is mute",
                ...{ isStarted: false, pod: "other" },
            },
            actions: ["start"],
            notReadyBecause: "program new did not work within 180 s: it is mute",
            notice: "ProgramReverting: program new did not work within 180 s: it is mute; reverting to program old",
        },
    ],
    [
        "nothing is known for a while",
        changing,
        { node: "unknown", running: next },
        limits.silent - 1,
        { notReadyBecause: "waiting for program new" },
    ],
    [
        "nothing is known for too long",
        changing,
        { node: "unknown", running: next },
        limits.silent,
        {
            journal: {
                ...{ phase: "reverting", from: old, to: next },
                reason: "the API has not answered for 600 s since program new was started",
                ...{ isStarted: false, pod: "pod" },
            },
            actions: ["start"],
            notReadyBecause: "the API has not answered for 600 s since program new was started",
            notice: "ProgramReverting: the API has not answered for 600 s since program new was started; reverting to program old",
        },
    ],
    [
        "the revert was interrupted",
        { ...reverting, isStarted: false },
        {},
        9999,
        { actions: ["start"], notReadyBecause: "it broke" },
    ],
    ["the previous one starts", reverting, { works: false }, limits.ready - 1, { notReadyBecause: "it broke" }],
    ["nothing is known during a revert", reverting, { node: "unknown" }, 9999, { notReadyBecause: "it broke" }],
    [
        "the previous one does not work either",
        reverting,
        { works: false },
        limits.ready,
        { notReadyBecause: "it broke; it is lost", notice: "ProgramLost: it broke; it is lost" },
    ],
    [
        "the previous one works",
        reverting,
        { node: schedulable },
        limits.settle,
        {
            journal: { ...failed, reason: "it broke; program old runs again" },
            actions: ["cordon"],
            notReadyBecause: "it broke; program old runs again",
            notice: `ProgramFailed: it broke; program old runs again. ${stays}`,
        },
    ],
    [
        "the previous one works, and another pod gave up",
        { ...reverting, pod: "earlier" },
        {},
        limits.settle,
        { journal: idle, notReadyBecause: "it broke; program old runs again" },
    ],
    ["it failed", failed, {}, 9999, { notReadyBecause: "it broke", notice: `ProgramFailed: it broke. ${stays}` }],
    [
        "it failed, and a user uncordoned the node",
        failed,
        { node: schedulable },
        0,
        { actions: ["cordon"], notReadyBecause: "it broke", notice: `ProgramFailed: it broke. ${stays}` },
    ],
    ["it failed, and another pod retries", failed, { pod: "next" }, 0, { journal: idle, notReadyBecause: "it broke" }],
    ["it failed, and another is desired", failed, { desired: old }, 0, { journal: idle, notReadyBecause: "it broke" }],
];

describe("a change of a part of the node, if", () => {
    for (const [title, journal, more, seconds, { actions = [], notice, notReadyBecause, ...expected }] of table) {
        it(title, () => {
            const { memory } = decide(journal, observed(more), undefined, 100, limits);
            const decision = decide(journal, observed(more), memory, 100 + seconds, limits);
            assert.deepEqual(decision.actions, actions);
            assert.deepEqual(decision.journal, expected.journal ?? journal);
            assert.equal(decision.notReadyBecause, notReadyBecause);
            const { reason, message } = decision.notice ?? {};
            assert.equal(reason && `${reason}: ${message}`, notice);
        });
    }

    it("goes on after a crash at any point, to the new program if it works, or else back to the old one", () => {
        const crashes = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 40 });
        fc.assert(
            fc.property(crashes, fc.boolean(), (stepsToLive, doesNextWork) => {
                let [journal, running, node]: [Journal, Program, typeof cordoned] = [idle, old, schedulable];
                let memory: Memory | undefined;
                for (let now = 0; now < 1000; now++) {
                    let steps = stepsToLive[now] ?? Number.POSITIVE_INFINITY;
                    const step = (work: () => void) => {
                        if (steps-- > 0) work();
                    };
                    const works = running === old || doesNextWork;
                    const created = decide(journal, observed({ node, running, works }), memory, now, limits);
                    step(() => (journal = created.journal));
                    for (const action of created.actions) {
                        if (action === "cordon") step(() => (node = cordoned));
                        if (action !== "start") continue;
                        step(() => (running = targetOf<Program>(journal) ?? running));
                        step(() => (journal = { ...journal, isStarted: true } as Journal));
                    }
                    memory = steps < 0 ? undefined : created.memory;
                }
                assert.equal(running, doesNextWork ? next : old);
                assert.equal(journal.phase, doesNextWork ? "idle" : "failed");
            }),
        );
    });
});
