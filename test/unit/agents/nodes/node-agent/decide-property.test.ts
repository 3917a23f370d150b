import assert from "node:assert/strict";
import fc from "fast-check";
import { targetOf } from "../../../../../agents/nodes/node-agent/change";
import {
    type Action,
    decide,
    type Journal,
    type Observed,
} from "../../../../../agents/nodes/node-agent/kubelet/decide";
import { type Kubelet, defaultLimits as limits } from "../../../../../agents/nodes/node-agent/plan";
import type { Memory } from "../../../../../agents/nodes/node-agent/progress";
import { isOlderMinor } from "../../../../../clients/kubernetes/minor";
import { newer, older } from "./example";

/** Events of a node; each is followed by some quiet seconds. */
const events = [
    "API goes down",
    "API comes back",
    "apiserver is upgraded",
    "newer is desired",
    "older is desired",
    "newer breaks",
    "newer works",
    "a pod is added",
    "a budget forbids",
    "a budget allows",
    "agent is killed",
    "agent is replaced",
    "power fails",
    "node is to be removed",
    "node is to be kept",
] as const;
type Event = (typeof events)[number];

/**
 * A machine with its disk, a kubelet that runs what is selected when it starts, and the agent, which may die anywhere.
 */
class Machine {
    now = 0;
    journal: Journal = { phase: "idle" };
    selected: Kubelet = older;
    here = new Set([older.version]);
    isRestartAsked = false;
    running: Kubelet = older;
    startedAt = -100;
    registered = older.version;
    isReady = true;
    isApiUp = true;
    apiVersion = older.version;
    desired: Kubelet = older;
    doesNewerWork = true;
    pods = 0;
    isForbidden = false;
    isCordoned = false;
    isOurs = false;
    isLeaving = false;
    pod = 1;
    memory?: Memory;
    isNotReady = true;

    observed(): Observed {
        const { desired, selected, registered: version, isReady, isCordoned, isOurs, isLeaving } = this;
        return {
            node: this.isApiUp ? { version, isReady, isCordoned, isOurs, isLeaving } : "unknown",
            desired,
            selected,
            running: this.running,
            isHere: this.here.has(desired.version),
            ...(this.isApiUp && { apiVersion: this.apiVersion }),
            left: this.pods > 0 ? ["n/p"] : [],
            isHealthy: this.isWell,
            issuance: "desired",
            pod: `pod-${this.pod}`,
        };
    }

    get isWell(): boolean {
        return (this.running === older || this.doesNewerWork) && this.now - this.startedAt > 3;
    }

    happen(event: Event): void {
        const changes: Record<Event, () => void> = {
            "API goes down": () => (this.isApiUp = false),
            "API comes back": () => (this.isApiUp = true),
            "apiserver is upgraded": () => (this.apiVersion = newer.version),
            "newer is desired": () => this.want(newer),
            "older is desired": () => this.want(older),
            "newer breaks": () => (this.doesNewerWork = false),
            "newer works": () => (this.doesNewerWork = true),
            "a pod is added": () => (this.pods += this.isCordoned ? 0 : 1),
            "a budget forbids": () => (this.isForbidden = true),
            "a budget allows": () => (this.isForbidden = false),
            "agent is killed": () => (this.memory = undefined),
            "agent is replaced": () => this.replaceAgent(),
            "power fails": () => {
                this.memory = undefined;
                this.start();
            },
            "node is to be removed": () => (this.isLeaving = true),
            "node is to be kept": () => (this.isLeaving = false),
        };
        changes[event]();
    }

    /** Another plan creates another pod. */
    want(kubelet: Kubelet): void {
        if (this.desired !== kubelet) {
            this.desired = kubelet;
            this.replaceAgent();
        }
    }

    replaceAgent(): void {
        this.pod += 1;
        this.memory = undefined;
    }

    start(): void {
        assert(this.here.has(this.selected.version), "the selected kubelet is on the disk");
        this.running = this.selected;
        this.startedAt = this.now;
    }

    /** A second passes: the agent reconciles, or dies at some step. */
    tick(stepsToLive = Number.POSITIVE_INFINITY): void {
        let steps = stepsToLive;
        const step = (what: () => void) => {
            if (steps-- > 0) what();
        };
        const observed = this.observed();
        const decision = decide(this.journal, observed, this.memory, this.now, limits);
        this.memory = decision.memory;
        this.isNotReady = decision.notReadyBecause !== undefined;
        this.check(observed, decision.actions);
        step(() => (this.journal = decision.journal));
        for (const action of decision.actions) this.act(action, step);
        if (steps < 0) this.memory = undefined;
        this.pass();
    }

    act(action: Action | "cordon" | "evict", step: (what: () => void) => void): void {
        switch (action) {
            case "fetch":
                step(() => this.here.add(this.desired.version));
                break;
            case "cordon":
            case "uncordon":
                if (this.isApiUp) step(() => (this.isCordoned = this.isOurs = action === "cordon"));
                break;
            case "evict":
                if (this.isApiUp && !this.isForbidden) step(() => (this.pods = 0));
                break;
            case "switch": {
                const target = targetOf(this.journal);
                const { journal } = this;
                if (target && (journal.phase === "upgrading" || journal.phase === "reverting")) {
                    step(() => (this.selected = target));
                    step(() => (this.isRestartAsked = true));
                    step(() => (this.journal = { ...journal, isSwitched: true }));
                }
            }
        }
    }

    /** The host, and the kubelet, which reports to the API. */
    pass(): void {
        if (this.isRestartAsked) {
            this.isRestartAsked = false;
            this.start();
        }
        if (this.isApiUp) {
            const isUp = this.now - this.startedAt > 3;
            if (isUp && this.isWell) this.registered = this.running.version;
            if (isUp) this.isReady = this.isWell;
        }
        assert(
            this.running === older || !isOlderMinor(this.apiVersion, newer.version),
            "no kubelet is newer than its apiserver",
        );
        assert(
            this.running === older || this.isCordoned || this.registered === newer.version,
            "no switch without a cordon",
        );
        this.now += 1;
    }

    check({ node, left, isHere, isHealthy }: Observed, actions: readonly (Action | "cordon" | "evict")[]): void {
        if (node === "unknown") {
            assert.deepEqual(
                actions.filter((action) => action !== "switch"),
                [],
                "what is unknown starts nothing",
            );
        }
        if (this.journal.phase === "idle" && actions.includes("switch")) {
            assert(
                isHere && (left.length === 0 || !isHealthy),
                "nothing is stopped before the new kubelet is downloaded and the pods are evicted",
            );
        }
        if (!this.isNotReady && node !== "unknown" && !node.isLeaving) {
            assert.equal(node.version, this.desired.version, "all is well only at the desired version");
            assert(node.isReady && !node.isOurs, "all is well only when the node is Ready and schedulable");
        }
    }
}

const happenings = fc.array(
    fc.record({
        event: fc.constantFrom(...events),
        peace: fc.integer({ min: 0, max: 250 }),
        /** Number of steps after which the agent is killed, in the first quiet second. */
        steps: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
    }),
    { maxLength: 30 },
);

function live(machine: Machine, all: { event: Event; peace: number; steps?: number }[]): void {
    for (const { event, peace, steps } of all) {
        machine.happen(event);
        // Not only once: it may be killed in every reconcile.
        for (let second = 0; second <= peace; second++) machine.tick(second < 3 ? steps : undefined);
    }
}

function calm(machine: Machine, ...last: Event[]): void {
    for (const event of [
        "API comes back",
        "apiserver is upgraded",
        "a budget allows",
        "node is to be kept",
        ...last,
    ] as Event[]) {
        machine.happen(event);
    }
    for (let second = 0; second <= 1000; second++) machine.tick();
}

describe("over any sequence of events the node-agent", () => {
    it("keeps its invariants, and ends at the desired version if that works", () => {
        fc.assert(
            fc.property(happenings, fc.constantFrom("newer is desired", "older is desired"), (all, desired) => {
                const machine = new Machine();
                live(machine, all);
                calm(machine, "newer works", desired, "agent is replaced");
                assert.equal(machine.registered, machine.desired.version);
                assert.equal(machine.running, machine.desired);
                assert(machine.isReady && !machine.isCordoned && !machine.isNotReady);
            }),
            { numRuns: 150 },
        );
    });

    it("reverts a kubelet that broke after all was well", () => {
        fc.assert(
            fc.property(happenings, (all) => {
                const machine = new Machine();
                live(machine, all);
                calm(machine, "newer works", "newer is desired", "agent is replaced");
                calm(machine, "newer breaks", "older is desired");
                assert.equal(machine.running, older);
                assert(machine.isReady && !machine.isCordoned && !machine.isNotReady);
            }),
            { numRuns: 100 },
        );
    });

    it("ends at the previous version, cordoned and reporting it, if the desired one does not work", () => {
        fc.assert(
            fc.property(happenings, (all) => {
                const machine = new Machine();
                live(machine, all);
                // From a node in the desired state.
                calm(machine, "newer works", "older is desired", "agent is replaced");
                calm(machine, "newer breaks", "newer is desired");
                assert.equal(machine.running, older);
                assert.equal(machine.journal.phase, "failed");
                assert(machine.isReady && machine.isCordoned && machine.isNotReady);
            }),
            { numRuns: 75 },
        );
    });
});
