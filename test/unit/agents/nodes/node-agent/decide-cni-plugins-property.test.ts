import assert from "node:assert/strict";
import fc from "fast-check";
import { targetOf } from "../../../../../agents/nodes/node-agent/change";
import {
    type CniPluginsAction,
    type CniPluginsJournal,
    type CniPluginsObservation,
    decideCniPlugins,
} from "../../../../../agents/nodes/node-agent/cni-plugins/decide";
import type { Source } from "../../../../../agents/nodes/node-agent/plan";
import { newerPlugins as newer, olderPlugins as older } from "./example";

/** Events of a node; each is followed by some quiet reconciles. */
const events = [
    "API goes down",
    "API comes back",
    "newer are desired",
    "older are desired",
    "newer fail the test",
    "newer break once installed",
    "newer work",
    "disk is full",
    "disk has room",
    "agent is killed",
    "agent is replaced",
    "user uncordons",
] as const;
type Event = (typeof events)[number];

/** A machine with its disk, on which plugins are swapped one by one, and the agent, which may die anywhere. */
class Machine {
    journal: CniPluginsJournal = { phase: "idle" };
    bin: [Source, Source] = [older, older];
    installed: Source = older;
    here = new Set([older]);
    desired: Source = older;
    how: "works" | "fails the test" | "breaks once installed" = "works";
    isFull = false;
    isApiUp = true;
    isCordoned = false;
    pod = 1;
    swapped?: CniPluginsObservation["swapped"] & { phase: string };
    isNotReady = false;

    happen(event: Event): void {
        const changes: Record<Event, () => void> = {
            "API goes down": () => (this.isApiUp = false),
            "API comes back": () => (this.isApiUp = true),
            "newer are desired": () => this.want(newer),
            "older are desired": () => this.want(older),
            "newer fail the test": () => (this.how = "fails the test"),
            "newer break once installed": () => (this.how = "breaks once installed"),
            "newer work": () => (this.how = "works"),
            "disk is full": () => (this.isFull = true),
            "disk has room": () => (this.isFull = false),
            "agent is killed": () => (this.swapped = undefined),
            "agent is replaced": () => this.replaceAgent(),
            "user uncordons": () => (this.isCordoned = false),
        };
        changes[event]();
    }

    /** Another plan creates another pod. */
    want(plugins: Source): void {
        if (this.desired !== plugins) {
            this.desired = plugins;
            this.replaceAgent();
        }
    }

    replaceAgent(): void {
        this.pod += 1;
        this.swapped = undefined;
    }

    /** The agent reconciles, or dies at some step. */
    observe(stepsToLive = Number.POSITIVE_INFINITY): void {
        let steps = stepsToLive;
        const step = (what: () => void) => {
            if (steps-- > 0) what();
        };
        const { desired, installed, swapped, journal } = this;
        const decision = decideCniPlugins(journal, {
            node: this.isApiUp ? { isCordoned: this.isCordoned, isLeaving: false } : "unknown",
            desired,
            installed,
            isHere: this.here.has(desired),
            ...(swapped?.phase === journal.phase && { swapped }),
            isKubeletChanging: false,
            pod: `pod-${this.pod}`,
        });
        this.isNotReady = decision.notReadyBecause !== undefined;
        if (journal.phase === "idle" && decision.actions.includes("swap plugins")) {
            assert(
                this.isCordoned && this.here.has(desired),
                "no swap before the node is cordoned and everything is downloaded",
            );
        }
        step(() => (this.journal = decision.journal));
        if (this.journal.phase === "idle") this.swapped = undefined;
        for (const action of decision.actions) this.act(action, step);
        if (steps < 0) this.swapped = undefined;
        // The kubelet's logic uncordons once all is well.
        if (!this.isNotReady && this.isApiUp) this.isCordoned = false;
        if (this.journal.phase === "idle" && !this.isNotReady) {
            assert(
                this.bin.every((each) => each === this.installed),
                "plugins come from one archive, the recorded one",
            );
        }
    }

    act(action: CniPluginsAction | "cordon" | "evict", step: (what: () => void) => void): void {
        switch (action) {
            case "fetch plugins":
                if (!this.isFull) step(() => this.here.add(this.desired));
                break;
            case "cordon":
                if (this.isApiUp) step(() => (this.isCordoned = true));
                break;
            case "swap plugins":
                this.swap(step);
        }
    }

    swap(step: (what: () => void) => void): void {
        const { phase } = this.journal;
        const target = targetOf(this.journal);
        if (target === undefined) return;
        const breaks = target === newer ? this.how : "works";
        if (this.isFull || (phase === "changing" && breaks === "fails the test")) {
            step(() => (this.swapped = { isIn: false, fault: "it does not work", phase }));
            return;
        }
        step(() => (this.bin = [target, this.bin[1]]));
        step(() => (this.bin = [target, target]));
        step(() => (this.installed = target));
        const fault = breaks === "works" ? {} : { fault: "mute" };
        step(() => (this.swapped = { isIn: true, ...fault, phase }));
    }
}

const happenings = fc.array(
    fc.record({
        event: fc.constantFrom(...events),
        peace: fc.integer({ min: 0, max: 12 }),
        /** Number of steps after which the agent is killed, in the first reconciles. */
        steps: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }),
    }),
    { maxLength: 30 },
);

function live(machine: Machine, all: { event: Event; peace: number; steps?: number }[]): void {
    for (const { event, peace, steps } of all) {
        machine.happen(event);
        for (let observe = 0; observe <= peace; observe++) machine.observe(observe < 3 ? steps : undefined);
    }
}

function calm(machine: Machine, ...last: Event[]): void {
    for (const event of ["API comes back", "disk has room", ...last] as Event[]) machine.happen(event);
    for (let observe = 0; observe <= 20; observe++) machine.observe();
}

describe("over any sequence of events, with CNI plugins the node-agent", () => {
    it("ends with the desired ones if they work", () => {
        fc.assert(
            fc.property(happenings, fc.constantFrom("newer are desired", "older are desired"), (all, desired) => {
                const machine = new Machine();
                live(machine, all);
                calm(machine, "newer work", desired, "agent is replaced");
                assert.deepEqual([...machine.bin, machine.installed], Array(3).fill(machine.desired));
                assert(!machine.isCordoned && !machine.isNotReady);
            }),
            { numRuns: 300 },
        );
    });

    it("ends with the previous ones, cordoned and reporting it, if the desired ones do not work", () => {
        const how = fc.constantFrom("newer fail the test", "newer break once installed");
        fc.assert(
            fc.property(happenings, how, (all, breaks) => {
                const machine = new Machine();
                live(machine, all);
                // From a node in the desired state.
                calm(machine, "newer work", "older are desired", "agent is replaced");
                calm(machine, breaks, "newer are desired");
                assert.deepEqual([...machine.bin, machine.installed], [older, older, older]);
                assert.equal(machine.journal.phase, "failed");
                assert(machine.isCordoned && machine.isNotReady);
            }),
            { numRuns: 300 },
        );
    });
});
