import assert from "node:assert/strict";
import type { Action, Wait } from "../../../../../agents/nodes/promoter/action";
import { decide } from "../../../../../agents/nodes/promoter/decide";
import { NodeDurations } from "../../../../../agents/nodes/promoter/durations";
import { takesPart } from "../../../../../agents/nodes/promoter/leaving";
import { type NodeFacts, type Observed, type PodFacts, Scene } from "../../../../../agents/nodes/promoter/observed";
import type { NodePromoterPlan } from "../../../../../agents/nodes/promoter/plan";
import type { NodeRole } from "../../../../../agents/nodes/promoter/record";
import type { Member } from "../../../../../clients/etcd/client";

/** Seconds of the simulated machines. */
const graceSeconds = 40;
const joinSeconds = 4;
const podSeconds = 3;
const cleanSeconds = 4;

export interface Machine {
    readonly name: string;
    isUp: boolean;
    /** Whether it reaches the others. */
    isConnected: boolean;
    /** Its candidates' etcd-join never succeeds. */
    failsToJoin: boolean;
    /** Since when it has been silent, or answering again. */
    changedAt: number;
    /** ID of the member whose data is on its disk. */
    data?: string;
    join?: { startedAt: number; ended: boolean };
    /** Since when its control plane runs, or would end. */
    controlPlane?: number;
    roleLostAt?: number;
    cleanSince?: number;
    /** Observations of its agent, and what the agent is about to write. */
    durations: NodeDurations;
    pending?: { readonly action: Action; readonly versions: Versions };
}

interface Versions {
    readonly record: number;
    readonly node: number;
}

interface NodeObject {
    hasRole: boolean;
    label?: string;
    isLeaving: boolean;
    version: number;
}

/** A cluster of machines with etcd members, as far as the promoter sees and changes it. */
export class World {
    now = 1000;
    /** Added to the clock that the record's times come from. */
    skew = 0;
    record: Record<string, NodeRole> = {};
    readonly demoted = new Set<string>();
    requests: Record<string, string> = {};
    recordVersion = 1;
    readonly nodes = new Map<string, NodeObject>();
    readonly machines = new Map<string, Machine>();
    members: Member[] = [];
    leader?: string;
    readonly log: string[] = [];
    #ids = 100;

    constructor(
        readonly plan: NodePromoterPlan,
        /** Whether the agent dies at this moment. */
        public dies: () => boolean = () => false,
    ) {
        for (const name of Object.keys(plan.peerUrls)) {
            const isController = !plan.candidates.includes(name);
            this.nodes.set(name, { hasRole: isController, isLeaving: false, version: 1 });
            const machine: Machine = {
                name,
                isUp: true,
                isConnected: true,
                failsToJoin: false,
                changedAt: 0,
                durations: new NodeDurations(),
            };
            this.machines.set(name, machine);
            if (isController) {
                machine.data = this.#add(name, false);
                machine.controlPlane = 0;
                machine.join = { startedAt: 0, ended: true };
            }
        }
        this.leader = this.members[0]?.ID;
    }

    get all(): Machine[] {
        return [...this.machines.values()];
    }

    runs({ isUp, isConnected }: Machine): boolean {
        return isUp && isConnected;
    }

    /** IDs of the members that answer. */
    get healthy(): Set<string> {
        if (!this.hasQuorum) return new Set();
        return new Set(this.members.filter((member) => this.#answers(member)).map(({ ID }) => ID));
    }

    get hasQuorum(): boolean {
        const voters = this.members.filter(({ isLearner }) => !isLearner);
        return voters.filter((member) => this.#answers(member)).length >= Math.floor(voters.length / 2) + 1;
    }

    get voters(): string[] {
        return this.members.filter(({ isLearner }) => !isLearner).map(({ name }) => name!);
    }

    #answers({ ID, name }: Member): boolean {
        const machine = this.machines.get(name!)!;
        return this.runs(machine) && machine.data === ID;
    }

    #add(name: string, isLearner: boolean): string {
        const ID = String(this.#ids++);
        const url = `https://${name}:2380`;
        this.members.push({ ID, name, peerURLs: [url], clientURLs: [`https://${name}:2379`], isLearner });
        return ID;
    }

    setRunning(name: string, change: Partial<Pick<Machine, "isUp" | "isConnected">>): void {
        const machine = this.machines.get(name)!;
        const before = this.runs(machine);
        Object.assign(machine, change);
        if (this.runs(machine) !== before) machine.changedAt = this.now;
        if (!machine.isUp) {
            machine.pending = undefined;
            machine.cleanSince = undefined;
            this.killAgent(machine);
            if (machine.join) machine.join = undefined;
        }
    }

    killAgent(machine: Machine): void {
        machine.durations = new NodeDurations();
        machine.pending = undefined;
    }

    deleteNode(name: string): void {
        this.nodes.delete(name);
        this.machines.get(name)!.changedAt = this.now;
    }

    isReady(machine: Machine): boolean {
        const silent = this.now - machine.changedAt;
        return this.runs(machine) ? silent >= 5 || machine.changedAt === 0 : silent < graceSeconds;
    }

    /** Lets time pass. */
    tick(seconds = 1): void {
        this.now += seconds;
        if (!this.hasQuorum) this.leader = undefined;
        else if (this.leader === undefined || !this.healthy.has(this.leader)) {
            const able = this.members.filter(({ ID, isLearner }) => !isLearner && this.healthy.has(ID));
            this.leader = able[this.now % able.length]?.ID;
        }
        for (const machine of this.all) if (this.runs(machine)) this.#work(machine);
        for (const machine of this.all) this.#runAgent(machine);
        this.#check();
    }

    /** What kubelets and the pods of one machine do. */
    #work(machine: Machine): void {
        const { name } = machine;
        let node = this.nodes.get(name);
        if (node === undefined) {
            if (this.now - machine.changedAt < 5) return;
            node = { hasRole: false, isLeaving: false, version: this.now };
            this.nodes.set(name, node);
        }
        // The API does nothing without etcd.
        if (!this.hasQuorum) return;
        if (node.hasRole) {
            machine.controlPlane ??= this.now;
            machine.roleLostAt = undefined;
        } else if (machine.controlPlane !== undefined) {
            machine.roleLostAt ??= this.now;
            if (this.now - machine.roleLostAt >= podSeconds) machine.controlPlane = undefined;
        }
        if (this.now % 5 === 0) this.#approve(name, node);
        this.#join(machine, node);
        if (node.label !== "leaving") machine.cleanSince = undefined;
        else if (machine.cleanSince === undefined) {
            machine.cleanSince = this.now;
        } else if (this.now - machine.cleanSince >= cleanSeconds && machine.data !== undefined) {
            assert.ok(!this.members.some((member) => member.name === name), `${name} was cleaned as a member`);
            machine.data = undefined;
        }
    }

    /** node-approver gives controllers a lost role back. */
    #approve(name: string, node: NodeObject): void {
        const isRecorded = this.record[name]?.role === "controller";
        const isController = this.plan.candidates.includes(name) ? isRecorded : !this.demoted.has(name);
        if (!isController || node.hasRole || node.isLeaving) return;
        node.hasRole = true;
        node.version++;
    }

    #join(machine: Machine, node: NodeObject): void {
        const { name } = machine;
        const isPlaced = !this.plan.candidates.includes(name) || node.label === "joining";
        if (!isPlaced) {
            machine.join = undefined;
            return;
        }
        machine.join ??= { startedAt: this.now, ended: false };
        const { join } = machine;
        const passed = this.now - join.startedAt;
        if (join.ended || passed < joinSeconds) return;
        if (passed === joinSeconds && this.demoted.has(name)) {
            join.ended = true;
            return;
        }
        const own = this.members.find((member) => member.name === name);
        if (own !== undefined && machine.data === own.ID && !own.isLearner) {
            join.ended = true;
            return;
        }
        if (machine.failsToJoin) return;
        if (own === undefined) {
            // It refuses the data of a removed member.
            if (machine.data !== undefined) return;
            const others = this.members.filter(({ ID }) => !this.healthy.has(ID) || false);
            if (others.length > 0 || this.members.some(({ isLearner }) => isLearner)) return;
            machine.data = this.#add(name, true);
        } else if (machine.data === own.ID && passed >= 2 * joinSeconds) {
            this.members = this.members.map((each) => (each === own ? { ...each, isLearner: false } : each));
        }
    }

    #pods(machine: Machine): PodFacts {
        const node = this.nodes.get(machine.name);
        const { controlPlane, join, cleanSince } = machine;
        const isUp = this.runs(machine);
        const isVoter = this.voters.includes(machine.name);
        return {
            controlPlane: controlPlane === undefined ? [] : ["kube-apiserver"],
            servesApi: isUp && isVoter && controlPlane !== undefined && this.now - controlPlane >= podSeconds,
            join: join === undefined ? "none" : join.ended ? "ended" : "running",
            isClean: isUp && node?.label === "leaving" && cleanSince !== undefined && machine.data === undefined,
        };
    }

    observe(machine: Machine): Observed {
        const nodes = [...this.nodes].map(
            ([name, { hasRole, label, isLeaving }]): NodeFacts => ({
                name,
                isReady: this.isReady(this.machines.get(name)!),
                hasRole,
                ...(label !== undefined && { label }),
                isLeaving,
                isCordoned: false,
            }),
        );
        const healthy = this.healthy;
        const down = this.members.filter(({ ID }) => !healthy.has(ID)).map(({ name }) => `${name} is down`);
        const observed: Observed = {
            nodes,
            members: this.members,
            health: { healthy, problems: down, ...(this.leader && { leader: this.leader }) },
            record: this.record,
            requests: this.requests,
            pods: Object.fromEntries(this.all.map((each) => [each.name, this.#pods(each)])),
            lostSeconds: {},
            stageSeconds: {},
            now: (this.now + this.skew) * 1000,
        };
        return { ...observed, ...machine.durations.note(new Scene(observed, this.plan), this.now) };
    }

    /** As `Observer.isActor`. */
    #isActor(machine: Machine): boolean {
        const node = this.nodes.get(machine.name);
        // Its pod runs only where the role is.
        if (!this.runs(machine) || !node?.hasRole || !this.hasQuorum) return false;
        const own = this.members.find(({ name }) => name === machine.name);
        if (own === undefined || own.isLearner || !this.healthy.has(own.ID)) return false;
        if (own.ID === this.leader) return true;
        const isRunning = ({ name }: Member) =>
            this.nodes.get(name!)?.hasRole === true && this.isReady(this.machines.get(name!)!);
        if (this.members.some((member) => member.ID === this.leader && isRunning(member))) return false;
        const able = this.members.filter((member) => this.healthy.has(member.ID) && isRunning(member));
        return able.map(({ ID }) => ID).sort()[0] === own.ID;
    }

    #runAgent(machine: Machine): void {
        if (!this.#isActor(machine)) {
            this.killAgent(machine);
            return;
        }
        if (machine.pending !== undefined) {
            const { action, versions } = machine.pending;
            machine.pending = undefined;
            this.#apply(action, versions);
            if (this.dies()) this.killAgent(machine);
            return;
        }
        const action = decide(this.observe(machine), this.plan);
        if (this.dies()) this.killAgent(machine);
        else if (action.do !== "wait") this.#begin(machine, action);
    }

    #begin(machine: Machine, action: Exclude<Action, Wait>): void {
        const versions = { record: this.recordVersion, node: this.nodes.get(action.node)?.version ?? 0 };
        // What etcd does depends on its members' health at that moment.
        if (action.do === "remove-member" || action.do === "move-leader") this.#apply(action, versions);
        else machine.pending = { action, versions };
    }

    #apply(action: Action, versions: Versions): void {
        if (action.do === "wait") return;
        const node = this.nodes.get(action.node);
        this.log.push(`${this.now}: ${JSON.stringify(action)}`);
        switch (action.do) {
            case "write": {
                if (versions.record !== this.recordVersion) return;
                const since = new Date((this.now + this.skew) * 1000).toISOString();
                const { [action.node]: _, ...others } = this.record;
                this.record = action.entry ? { ...others, [action.node]: { ...action.entry, since } } : others;
                const isDemoted = ["leaving", "candidate"].includes(action.entry?.role ?? "");
                if (isDemoted) this.demoted.add(action.node);
                else this.demoted.delete(action.node);
                if (action.endsRequest) this.#endRequest(action.node);
                this.recordVersion++;
                return;
            }
            case "drop-request":
                if (versions.record !== this.recordVersion) return;
                this.#endRequest(action.node);
                this.recordVersion++;
                return;
            case "patch-node": {
                if (action.endsJoin) this.machines.get(action.node)!.join = undefined;
                if (node === undefined || node.version !== versions.node) return;
                if (action.label !== undefined) node.label = action.label ?? undefined;
                if (action.hasRole !== undefined) node.hasRole = action.hasRole;
                if (action.isLeaving !== undefined) node.isLeaving = action.isLeaving;
                node.version++;
                return;
            }
            case "delete-join-pods":
                this.machines.get(action.node)!.join = undefined;
                return;
            case "move-leader": {
                const next = this.members.find(
                    ({ ID, name, isLearner }) => !isLearner && this.healthy.has(ID) && name !== action.node,
                );
                if (next) this.leader = next.ID;
                return;
            }
            case "remove-member": {
                assert.equal(versions.record, this.recordVersion);
                this.members = this.members.filter(({ ID }) => ID !== action.ID);
                assert.ok(this.members.length > 0, "the last member was removed");
                assert.ok(this.hasQuorum, `no healthy majority without ${action.node}`);
                return;
            }
        }
    }

    #endRequest(name: string): void {
        const { [name]: _, ...others } = this.requests;
        this.requests = others;
    }

    /** What holds at every moment. */
    #check(): void {
        const onlooker = { ...this.all[0]!, durations: new NodeDurations() };
        const scene = new Scene(this.observe(onlooker), this.plan);
        const changing = scene.names.filter((name) => {
            const role = scene.role(name);
            return role === "joining" || (role === "leaving" && takesPart(scene, name));
        });
        assert.ok(changing.length <= 1, `two nodes change at once: ${changing.join(", ")}`);
    }
}
