import assert from "node:assert/strict";
import fc from "fast-check";
import { targetOf } from "../../../../../agents/nodes/node-agent/change";
import {
    type ContainerRuntimeAction,
    type ContainerRuntimeJournal,
    decideContainerRuntime,
} from "../../../../../agents/nodes/node-agent/container-runtime/decide";
import type { Runtime } from "../../../../../agents/nodes/node-agent/container-runtime/runtime";
import type { RuntimeHost } from "../../../../../agents/nodes/node-agent/container-runtime/runtimes";
import { defaultLimits } from "../../../../../agents/nodes/node-agent/plan";
import type { Memory } from "../../../../../agents/nodes/node-agent/progress";
import { newerRuntime as newer, olderRuntime as older } from "./example";

/** Events of a node; each is followed by some quiet reconciles. */
const events = [
    "API goes down",
    "API comes back",
    "newer is desired",
    "older is desired",
    "newer does not start",
    "newer starts no container",
    "newer is not Ready",
    "newer works",
    "agent is killed",
    "agent is replaced",
    "power fails",
    "user uncordons",
] as const;
type Event = (typeof events)[number];

/** Seconds of a reconcile, and of the time for which the host waits for a confirmation. */
const [lookSeconds, trialSeconds] = [10, 900];

/** It takes some reconciles to confirm a runtime. */
const limits = { ...defaultLimits, settle: 25 };

/**
 * A machine with its scripts, which a power cut may interrupt anywhere, and the agent, a pod that needs a runtime and
 * may die anywhere.
 */
class Machine {
    journal: ContainerRuntimeJournal = { phase: "idle" };
    disk: { -readonly [K in keyof RuntimeHost]: RuntimeHost[K] } = { current: older.id, running: older.id };
    desired: Runtime = older;
    how: "works" | "does not start" | "starts no container" | "is not Ready" = "works";
    isApiUp = true;
    isCordoned = false;
    isAgentAlive = true;
    pod = 1;
    memory?: Memory;
    now = 0;
    waited = 0;
    isNotReady = false;

    happen(event: Event): void {
        const changes: Record<Event, () => void> = {
            "API goes down": () => (this.isApiUp = false),
            "API comes back": () => (this.isApiUp = true),
            "newer is desired": () => this.want(newer),
            "older is desired": () => this.want(older),
            "newer does not start": () => this.breaks("does not start"),
            "newer starts no container": () => this.breaks("starts no container"),
            "newer is not Ready": () => (this.how = "is not Ready"),
            "newer works": () => (this.how = "works"),
            "agent is killed": () => (this.isAgentAlive = false),
            "agent is replaced": () => this.replaceAgent(),
            "power fails": () => this.boot(),
            "user uncordons": () => (this.isCordoned = false),
        };
        changes[event]();
    }

    /** A confirmed runtime does not break: no agent could run to replace it. */
    breaks(how: Machine["how"]): void {
        const isConfirmed = this.disk.current === newer.id && this.disk.trial === undefined;
        if (!isConfirmed) this.how = how;
    }

    /** Another plan creates another pod. */
    want(runtime: Runtime): void {
        if (this.desired === runtime) return;
        this.desired = runtime;
        this.replaceAgent();
    }

    replaceAgent(): void {
        this.pod += 1;
        this.isAgentAlive = false;
    }

    /** How a runtime behaves: newer ones may fail. */
    does(id: string): Machine["how"] {
        return id === newer.id ? this.how : "works";
    }

    startsContainers(): boolean {
        const how = this.does(this.disk.current);
        return this.disk.running === this.disk.current && (how === "works" || how === "is not Ready");
    }

    boot(): void {
        this.isAgentAlive = false;
        delete this.disk.request;
        if (this.disk.trial !== undefined) this.disk.current = this.disk.trial;
        delete this.disk.trial;
        this.restart();
    }

    restart(): boolean {
        const isUp = this.does(this.disk.current) !== "does not start";
        if (isUp) this.disk.running = this.disk.current;
        return isUp;
    }

    /** `switch-container-runtime` and its wait. The power fails after that many of its steps. */
    serve(stepsToCut = Number.POSITIVE_INFINITY): void {
        // containerd.service has Restart=always, without a limit.
        if (this.disk.running !== this.disk.current) this.restart();
        let steps = stepsToCut;
        const step = (what: () => void) => {
            if (steps === 0) this.boot();
            if (steps-- > 0) what();
        };
        const { request: id, trial } = this.disk;
        if (id === undefined) {
            this.wait(step);
            return;
        }
        this.waited = 0;
        const isBack = trial === id;
        const former = this.disk.current;
        if (trial === undefined && former !== id) step(() => (this.disk.trial = former));
        step(() => (this.disk.current = id));
        step(() => delete this.disk.request);
        let isUp = false;
        step(() => (isUp = this.restart()));
        if (isBack) step(() => delete this.disk.trial);
        else if (steps > 0 && !(isUp && this.startsContainers())) this.goBack(step, "it does not work");
    }

    wait(step: (what: () => void) => void): void {
        if (this.disk.trial === undefined) return;
        this.waited += lookSeconds;
        if (this.waited > trialSeconds) this.goBack(step, "it was not confirmed");
    }

    goBack(step: (what: () => void) => void, why: string): void {
        const { trial } = this.disk;
        if (trial === undefined) return;
        step(() => (this.disk.fault = why));
        step(() => (this.disk.current = trial));
        step(() => this.restart());
        step(() => delete this.disk.trial);
    }

    /** The host runs; the agent reconciles, or dies at some step. */
    observe(agentSteps = Number.POSITIVE_INFINITY, hostSteps?: number): void {
        this.now += lookSeconds;
        this.serve(hostSteps);
        if (!this.isAgentAlive) {
            if (!this.startsContainers()) return;
            this.isAgentAlive = true;
            this.memory = undefined;
        }
        let steps = agentSteps;
        const step = (what: () => void) => {
            if (steps-- > 0) what();
        };
        const { journal, desired } = this;
        const isReady = this.startsContainers() && this.does(this.disk.current) === "works";
        const runtimeVersion = `containerd://${(this.disk.running === newer.id ? newer : older).containerd}`;
        const node = { isReady, isCordoned: this.isCordoned, isLeaving: false, runtimeVersion };
        const decision = decideContainerRuntime(
            journal,
            {
                node: this.isApiUp ? node : "unknown",
                desired: { id: desired.id },
                host: { ...this.disk },
                isHere: true,
                reported: { from: this.disk.current === newer.id ? newer : older, to: desired },
                left: [],
                isHealthy: true,
                unready: [],
                isOtherChanging: false,
                pod: `pod-${this.pod}`,
            },
            this.memory,
            this.now,
            limits,
        );
        this.memory = decision.memory;
        this.isNotReady = decision.notReadyBecause !== undefined;
        if (decision.journal.phase === "changing" && journal.phase === "idle") {
            assert(this.isCordoned, "no change before the node is cordoned");
        }
        if (decision.journal.phase !== journal.phase && journal.phase === "idle") delete this.disk.fault;
        step(() => (this.journal = decision.journal));
        for (const action of decision.actions) step(() => this.act(action));
        if (steps < 0) this.isAgentAlive = false;
        // The kubelet's logic uncordons once all is well.
        if (!this.isNotReady && this.isApiUp) this.isCordoned = false;
    }

    act(action: ContainerRuntimeAction | "cordon" | "evict"): void {
        switch (action) {
            case "cordon":
                if (this.isApiUp) this.isCordoned = true;
                break;
            case "request runtime": {
                const target = targetOf(this.journal);
                delete this.disk.fault;
                if (target) this.disk.request = target.id;
                break;
            }
            case "keep runtime":
                delete this.disk.trial;
        }
    }
}

const happenings = fc.array(
    fc.record({
        event: fc.constantFrom(...events),
        peace: fc.integer({ min: 0, max: 40 }),
        /** Number of steps after which the agent is killed or the power fails, in the first reconciles. */
        steps: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
        hostSteps: fc.option(fc.integer({ min: 0, max: 8 }), { nil: undefined }),
    }),
    { maxLength: 30 },
);

type Happening = { event: Event; peace: number; steps?: number; hostSteps?: number };

function live(machine: Machine, all: Happening[]): void {
    for (const { event, peace, steps, hostSteps } of all) {
        machine.happen(event);
        for (let observe = 0; observe <= peace; observe++) {
            machine.observe(...(observe < 3 ? ([steps, hostSteps] as const) : []));
        }
    }
}

/** Longer than the host waits, and then the agent. */
function calm(machine: Machine, ...last: Event[]): void {
    for (const event of ["API comes back", ...last] as Event[]) machine.happen(event);
    for (let observe = 0; observe <= 250; observe++) machine.observe();
}

describe("over any sequence of events, with a container runtime the node-agent and its machine", () => {
    it("end with the desired one if it works", () => {
        fc.assert(
            fc.property(happenings, fc.constantFrom("newer is desired", "older is desired"), (all, desired) => {
                const machine = new Machine();
                live(machine, all);
                calm(machine, "newer works", desired);
                // The host may have been about to give up a runtime that works only now: the next pod tries again.
                calm(machine, "agent is replaced");
                const { id } = machine.desired;
                // The reason of a revert stays readable.
                const { fault, ...disk } = machine.disk;
                assert.deepEqual(disk, { current: id, running: id });
                assert.deepEqual(machine.journal, { phase: "idle" });
                assert(!machine.isCordoned && !machine.isNotReady);
            }),
            { numRuns: 300 },
        );
    });

    it("end with the previous one, cordoned and reporting it, if the desired one does not work", () => {
        const how = fc.constantFrom(
            "newer does not start" as const,
            "newer starts no container" as const,
            "newer is not Ready" as const,
        );
        fc.assert(
            fc.property(happenings, how, (all, breaks) => {
                const machine = new Machine();
                live(machine, all);
                // From a node in the desired state.
                calm(machine, "newer works", "older is desired", "agent is replaced");
                calm(machine, breaks, "newer is desired");
                assert.deepEqual([machine.disk.current, machine.disk.running], [older.id, older.id]);
                assert.equal(machine.journal.phase, "failed");
                assert(machine.isCordoned && machine.isNotReady);
            }),
            { numRuns: 300 },
        );
    });

    it("have a working runtime after a reboot in the middle of a change, whatever has died", () => {
        fc.assert(
            fc.property(happenings, fc.integer({ min: 0, max: 12 }), (all, rounds) => {
                const machine = new Machine();
                live(machine, all);
                calm(machine, "newer works", "older is desired", "agent is replaced");
                machine.happen("newer is desired");
                for (let observe = 0; observe < rounds; observe++) machine.observe();
                // A confirmed runtime does not break.
                if (machine.disk.trial !== undefined) machine.happen("newer does not start");
                machine.boot();
                assert(machine.startsContainers());
            }),
            { numRuns: 300 },
        );
    });
});
