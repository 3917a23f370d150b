import assert from "node:assert/strict";
import fc from "fast-check";
import {
    type CniPluginsAction,
    type CniPluginsSight,
    decideCniPlugins,
    swapTarget,
} from "../../../../../agents/nodes/node-agent/cni-plugins/decide";
import type { CniPluginsJournal } from "../../../../../agents/nodes/node-agent/cni-plugins/journal";
import type { Source } from "../../../../../agents/nodes/node-agent/plan";
import { newerPlugins as newer, olderPlugins as older } from "./example";

/** What happens to a node; each is followed by some looks in peace. */
const events = [
    "API goes",
    "API comes",
    "newer are wanted",
    "older are wanted",
    "newer break beside",
    "newer break in place",
    "newer work",
    "disk is full",
    "disk has room",
    "agent is killed",
    "agent is replaced",
    "somebody uncordons",
] as const;
type Event = (typeof events)[number];

/** A machine with its disk, of which each plugin is swapped by itself, and the agent, which dies anywhere. */
class Machine {
    journal: CniPluginsJournal = { phase: "idle" };
    bin: [Source, Source] = [older, older];
    installed: Source = older;
    here = new Set([older]);
    wanted: Source = older;
    how: "works" | "breaks beside" | "breaks in place" = "works";
    isFull = false;
    isApiUp = true;
    isCordoned = false;
    pod = 1;
    swapped?: CniPluginsSight["swapped"] & { phase: string };
    isAmiss = false;

    happen(event: Event): void {
        const changes: Record<Event, () => void> = {
            "API goes": () => (this.isApiUp = false),
            "API comes": () => (this.isApiUp = true),
            "newer are wanted": () => this.want(newer),
            "older are wanted": () => this.want(older),
            "newer break beside": () => (this.how = "breaks beside"),
            "newer break in place": () => (this.how = "breaks in place"),
            "newer work": () => (this.how = "works"),
            "disk is full": () => (this.isFull = true),
            "disk has room": () => (this.isFull = false),
            "agent is killed": () => (this.swapped = undefined),
            "agent is replaced": () => this.replaceAgent(),
            "somebody uncordons": () => (this.isCordoned = false),
        };
        changes[event]();
    }

    /** Another plan is another pod. */
    want(plugins: Source): void {
        if (this.wanted !== plugins) {
            this.wanted = plugins;
            this.replaceAgent();
        }
    }

    replaceAgent(): void {
        this.pod += 1;
        this.swapped = undefined;
    }

    /** The agent looks and acts, or dies at some step of it. */
    look(stepsToLive = Number.POSITIVE_INFINITY): void {
        let steps = stepsToLive;
        const step = (what: () => void) => {
            if (steps-- > 0) what();
        };
        const { wanted, installed, swapped, journal } = this;
        const decision = decideCniPlugins(journal, {
            node: this.isApiUp ? { isCordoned: this.isCordoned, isLeaving: false } : "unknown",
            wanted,
            installed,
            isHere: this.here.has(wanted),
            ...(swapped?.phase === journal.phase && { swapped }),
            isKubeletChanging: false,
            pod: `pod-${this.pod}`,
        });
        this.isAmiss = decision.amiss !== undefined;
        if (journal.phase === "idle" && decision.actions.includes("swap plugins")) {
            assert(this.isCordoned && this.here.has(wanted), "no swap before the node is cordoned and all is here");
        }
        step(() => (this.journal = decision.journal));
        if (this.journal.phase === "idle") this.swapped = undefined;
        for (const action of decision.actions) this.act(action, step);
        if (steps < 0) this.swapped = undefined;
        // The kubelet's part uncordons, once nothing is amiss.
        if (!this.isAmiss && this.isApiUp) this.isCordoned = false;
        if (this.journal.phase === "idle" && !this.isAmiss) {
            assert(
                this.bin.every((each) => each === this.installed),
                "plugins are of one archive, the recorded one",
            );
        }
    }

    act(action: CniPluginsAction, step: (what: () => void) => void): void {
        switch (action) {
            case "fetch plugins":
                if (!this.isFull) step(() => this.here.add(this.wanted));
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
        const target = swapTarget(this.journal);
        if (target === undefined) return;
        const breaks = target === newer ? this.how : "works";
        if (this.isFull || (phase === "changing" && breaks === "breaks beside")) {
            step(() => (this.swapped = { isIn: false, fault: "it does not do", phase }));
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
        /** After so many steps the agent is killed, in the first looks. */
        steps: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }),
    }),
    { maxLength: 30 },
);

function live(machine: Machine, all: { event: Event; peace: number; steps?: number }[]): void {
    for (const { event, peace, steps } of all) {
        machine.happen(event);
        for (let look = 0; look <= peace; look++) machine.look(look < 3 ? steps : undefined);
    }
}

function calm(machine: Machine, ...last: Event[]): void {
    for (const event of ["API comes", "disk has room", ...last] as Event[]) machine.happen(event);
    for (let look = 0; look <= 20; look++) machine.look();
}

describe("over any sequence of events, of CNI plugins the node-agent", () => {
    it("ends at those that are wanted if they work", () => {
        fc.assert(
            fc.property(happenings, fc.constantFrom("newer are wanted", "older are wanted"), (all, wanted) => {
                const machine = new Machine();
                live(machine, all);
                calm(machine, "newer work", wanted, "agent is replaced");
                assert.deepEqual([...machine.bin, machine.installed], Array(3).fill(machine.wanted));
                assert(!machine.isCordoned && !machine.isAmiss);
            }),
            { numRuns: 300 },
        );
    });

    it("ends at those of before, cordoned and complaining, if the wanted ones do not work", () => {
        const how = fc.constantFrom("newer break beside", "newer break in place");
        fc.assert(
            fc.property(happenings, how, (all, breaks) => {
                const machine = new Machine();
                live(machine, all);
                // From a node that is as it should be.
                calm(machine, "newer work", "older are wanted", "agent is replaced");
                calm(machine, breaks, "newer are wanted");
                assert.deepEqual([...machine.bin, machine.installed], [older, older, older]);
                assert.equal(machine.journal.phase, "failed");
                assert(machine.isCordoned && machine.isAmiss);
            }),
            { numRuns: 300 },
        );
    });
});
