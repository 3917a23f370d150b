import assert from "node:assert/strict";
import fc from "fast-check";
import { defaultLimits as limits } from "../../../../../agents/nodes/node-agent/plan";
import type { Memory } from "../../../../../agents/nodes/node-agent/progress";
import {
    decideReboot,
    type RebootDecision,
    type RebootJournal,
    type RebootObservation,
} from "../../../../../agents/nodes/node-agent/reboot/decide";
import { type Decision, decideTurn } from "../../../../../agents/nodes/reboot-approver/decide";
import type { RebootTurn } from "../../../../../clients/kubernetes/reboot-turn";

const bootSeconds = 20;
const changeSeconds = 300;

/** A machine with its disk, its Node and its agent, whose every observation may be outdated when it acts. */
class Machine {
    boot = 1;
    /** The boot in which the OS requests a reboot. */
    desiredIn?: number;
    request?: string;
    backAt = 0;
    journal: RebootJournal = { phase: "idle" };
    memory?: Memory;
    /** A decision that has not been carried out yet. */
    pending?: { readonly decision: RebootDecision; readonly boot: number };
    isCordoned = false;
    asked?: string;
    pods = 1;
    reboots = 0;
    /** Boots that ended by a reboot. */
    readonly ended = new Set<number>();
    /** A change of its kubelet: the observed turn, and until when the change lasts. */
    isChangeWanted = false;
    mayChange = false;
    changedAt?: number;

    constructor(
        readonly name: string,
        private readonly cluster: Cluster,
    ) {}

    get isUp(): boolean {
        return this.cluster.now >= this.backAt;
    }

    get isRebooting(): boolean {
        return this.journal.phase !== "idle";
    }

    powerCut(): void {
        this.boot += 1;
        this.desiredIn = undefined;
        this.request = undefined;
        this.pods = 1;
        this.backAt = this.cluster.now + bootSeconds;
        this.killAgent();
    }

    killAgent(): void {
        this.memory = undefined;
        this.pending = undefined;
        this.mayChange = false;
    }

    observe(): void {
        if (!this.isUp) return;
        const { now, turn } = this.cluster;
        const boot = `${this.name}-${this.boot}`;
        const isOurs = turn?.node === this.name && turn.request === boot && turn.until !== undefined;
        const observed: RebootObservation = {
            isOn: true,
            boot,
            isRequested: this.desiredIn === this.boot,
            node: {
                isReady: true,
                isCordoned: this.isCordoned,
                isLeaving: false,
                ...(this.asked !== undefined && { asked: this.asked }),
            },
            isKubeletAsDesired: !this.isChangeWanted,
            isHealthy: true,
            ...(isOurs && { until: turn.until! }),
            left: this.pods > 0 ? ["n/p"] : [],
            pod: "pod",
            time: now,
        };
        const decision = decideReboot(this.journal, observed, this.memory, now, limits);
        this.memory = decision.memory;
        this.pending = { decision, boot: this.boot };
        // Like the node-agent: checks for a turn after it has seen the node cordoned.
        this.mayChange =
            this.isChangeWanted &&
            decision.notReadyBecause === undefined &&
            (turn === undefined || turn.node === this.name);
    }

    /** @param steps - number of steps after which the agent is killed */
    act(steps = Number.POSITIVE_INFINITY): void {
        const { pending } = this;
        if (!this.isUp || pending === undefined) return;
        this.pending = undefined;
        const { decision } = pending;
        let left = steps;
        const step = (what: () => void) => {
            if (left-- > 0) what();
        };
        step(() => (this.journal = decision.journal));
        for (const action of decision.actions) {
            step(() => this.do(action));
        }
        if (decision.notReadyBecause === undefined) step(() => this.changeKubelet());
        if (left < 0) this.killAgent();
    }

    do(action: RebootDecision["actions"][number]): void {
        const actions: Record<typeof action, () => void> = {
            ask: () => (this.asked = `${this.name}-${this.boot}`),
            withdraw: () => (this.asked = undefined),
            cordon: () => (this.isCordoned = true),
            evict: () => (this.pods = this.cluster.isForbidden ? this.pods : 0),
            yield: () => {},
            reboot: () => (this.request = this.journal.phase === "rebooting" ? this.journal.boot : undefined),
            recall: () => (this.request = undefined),
        };
        actions[action]();
    }

    /** The other half of the node-agent, in short. */
    changeKubelet(): void {
        if (this.changedAt !== undefined) return;
        if (!this.isChangeWanted) {
            this.isCordoned = false;
        } else if (this.mayChange) {
            if (this.isCordoned) this.changedAt = this.cluster.now + changeSeconds;
            this.isCordoned = true;
        }
    }

    pass(): void {
        const { request } = this;
        this.request = undefined;
        // Like the host: ignores a request from an earlier boot.
        if (this.isUp && request === `${this.name}-${this.boot}`) {
            assert.equal(this.desiredIn, this.boot, "nothing is rebooted without a request in this boot");
            assert(!this.ended.has(this.boot), "one request is one reboot");
            assert(this.isCordoned, "nothing is rebooted without a cordon");
            this.ended.add(this.boot);
            this.reboots += 1;
            this.powerCut();
        }
        if (this.changedAt !== undefined && this.cluster.now >= this.changedAt) {
            this.changedAt = undefined;
            this.isChangeWanted = false;
            this.mayChange = false;
        }
    }
}

class Cluster {
    now = 10_000;
    turn?: RebootTurn;
    isOpen = true;
    isForbidden = false;
    decided?: { readonly decision: Decision; readonly of: RebootTurn | undefined };
    readonly machines = ["a", "b", "c"].map((name) => new Machine(name, this));

    lookAtAll(): void {
        const nodes = this.machines.map(({ name, isUp, isCordoned, asked }) => ({
            name,
            uid: name,
            isController: name === "a",
            isReady: isUp,
            isAtWork: isCordoned,
            isLeaving: false,
            ...(asked !== undefined && { asked }),
        }));
        const decision = decideTurn({
            nodes,
            problems: [],
            notReadySeconds: 0,
            lateSeconds: 0,
            ...(this.turn && { turn: this.turn }),
            ...(this.isOpen && { openUntil: this.now + 600 }),
        });
        this.decided = { decision, of: this.turn };
    }

    write(): void {
        if (this.decided && this.decided.of === this.turn) this.turn = this.decided.decision.turn;
        this.decided = undefined;
    }

    /** One actor does one thing. */
    happen({ what, who, steps }: Happening): void {
        const machine = this.machines[who]!;
        const all: Record<Happening["what"], () => void> = {
            "agent works": () => {
                machine.observe();
                machine.act();
            },
            "approver works": () => {
                this.lookAtAll();
                this.write();
            },
            "agent observes": () => machine.observe(),
            "agent acts": () => machine.act(),
            "agent dies in an act": () => machine.act(steps),
            "approver observes": () => this.lookAtAll(),
            "approver writes": () => this.write(),
            "approver dies": () => (this.decided = undefined),
            "OS requests a reboot": () => (machine.desiredIn = machine.boot),
            "another kubelet is desired": () => (machine.isChangeWanted ||= true),
            "power fails": () => machine.powerCut(),
            "window closes": () => (this.isOpen = false),
            "window opens": () => (this.isOpen = true),
            "budget forbids": () => (this.isForbidden = true),
            "budget allows": () => (this.isForbidden = false),
        };
        all[what]();
        this.pass(1);
    }

    pass(seconds: number): void {
        this.now += seconds;
        for (const machine of this.machines) machine.pass();
        const rebooting = this.machines.filter(({ isRebooting }) => isRebooting);
        const names = rebooting.map(({ name }) => name).join();
        assert(rebooting.length <= 1, `one at a time, not ${names}`);
        for (const { name, changedAt } of this.machines) {
            const isOther = rebooting.some((each) => each.name !== name);
            assert(!(isOther && changedAt !== undefined), `${name} changes its kubelet while ${names} reboots`);
        }
    }

    get isAtRest(): boolean {
        const isWorking = ({ desiredIn, isCordoned, asked, isChangeWanted, isRebooting }: Machine) =>
            desiredIn !== undefined || isCordoned || asked !== undefined || isChangeWanted || isRebooting;
        return this.turn === undefined && !this.machines.some(isWorking);
    }

    /** Everything runs undisturbed, for some hours at most. */
    calm(): void {
        for (let round = 0; round < 12_000 && !this.isAtRest; round++) {
            for (const machine of this.machines) {
                machine.observe();
                machine.act();
            }
            this.lookAtAll();
            this.write();
            this.pass(1);
        }
    }
}

const works = ["agent works", "approver works"] as const;
const doings = ["agent observes", "agent acts", "approver observes", "approver writes"] as const;
const troubles = [
    "agent dies in an act",
    "approver dies",
    "OS requests a reboot",
    "another kubelet is desired",
    "power fails",
    "window closes",
    "window opens",
    "budget forbids",
    "budget allows",
] as const;

interface Happening {
    readonly what: (typeof works)[number] | (typeof doings)[number] | (typeof troubles)[number];
    readonly who: number;
    readonly steps: number;
}

const happenings = fc.array(
    fc.record({
        what: fc.oneof(
            { weight: 8, arbitrary: fc.constantFrom(...works) },
            { weight: 8, arbitrary: fc.constantFrom(...doings) },
            { weight: 1, arbitrary: fc.constantFrom(...troubles) },
            {
                weight: 2,
                arbitrary: fc.constantFrom("OS requests a reboot" as const, "another kubelet is desired" as const),
            },
        ),
        who: fc.nat({ max: 2 }),
        steps: fc.nat({ max: 3 }),
    }),
    { maxLength: 250 },
);

describe("over any sequence of events, whatever happens between observations and actions, nodes", () => {
    it("reboot one at a time, once per request, and never during a kubelet change", () => {
        fc.assert(
            fc.property(happenings, (all) => {
                const cluster = new Cluster();
                for (const each of all) cluster.happen(each);
                cluster.isOpen = true;
                cluster.isForbidden = false;
                cluster.calm();
                for (const { name, desiredIn, isCordoned, asked, journal } of cluster.machines) {
                    assert.equal(desiredIn, undefined, `${name} was rebooted`);
                    assert.deepEqual([isCordoned, asked, journal.phase], [false, undefined, "idle"], name);
                }
                assert.equal(cluster.turn, undefined);
            }),
            { numRuns: 600 },
        );
    }).timeout(60_000);

    it("notice each other's start, even if they observed before and act after it", () => {
        const steps = fc.array(
            fc.record({
                what: fc.constantFrom(...doings, "agent works" as const),
                who: fc.nat({ max: 1 }),
                steps: fc.constant(0),
            }),
            { minLength: 30, maxLength: 60 },
        );
        fc.assert(
            fc.property(steps, (all) => {
                const cluster = new Cluster();
                const [changed, asking] = cluster.machines;
                asking!.desiredIn = asking!.boot;
                asking!.pods = 0;
                asking!.observe();
                asking!.act();
                changed!.isChangeWanted = true;
                for (const each of all) cluster.happen(each);
            }),
            { numRuns: 3000 },
        );
    }).timeout(60_000);
});
