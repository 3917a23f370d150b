import assert from "node:assert/strict";
import type { CloudMachines, Machine } from "../../../../../agents/nodes/repairer/cloud";
import { mostRestarts } from "../../../../../agents/nodes/repairer/decide";
import { type NodeRepairerPlan, repairAnnotation } from "../../../../../agents/nodes/repairer/plan";
import { readRepairs, repairsKey } from "../../../../../agents/nodes/repairer/record";
import { NodeRepairer } from "../../../../../agents/nodes/repairer/repairer";
import type { ApiClient, Call } from "../../../../../clients/kubernetes/api-client";
import { ApiError } from "../../../../../clients/kubernetes/api-error";

const role = "node-role.kubernetes.io/control-plane";
const poolLabel = "node.kubernetes.io/pool";

export const plan: NodeRepairerPlan = {
    apiServer: "https://127.0.0.1:6443",
    controllerLabel: role,
    poolLabel,
    restartAfter: 300,
    replaceAfter: 900,
    maxUnavailablePercentage: 20,
    cloud: {
        ec2: "https://ec2",
        autoScaling: "https://autoscaling",
        region: "eu-central-1",
        namePattern: "^i-[0-9a-f]+$",
        clusterTag: "kubernetes.io/cluster/c",
    },
};

export interface SimulatedMachine {
    readonly name: string;
    readonly isController: boolean;
    /** `hung` until it is restarted, `broken` until it is replaced. */
    state: "up" | "hung" | "broken" | "booting" | "ending";
    isConnected: boolean;
    isHeld: boolean;
    since: number;
    isReady: boolean;
}

interface Patch {
    readonly metadata?: { readonly resourceVersion: string };
    readonly data: Readonly<Record<string, string | null>>;
}

type Note = (event: { readonly type: string; readonly object: unknown }) => void;

class Killed extends Error {}

/** Seconds until a kubelet that does not report is noticed, and of a boot. */
const [graceSeconds, bootSeconds] = [40, 60];

/** A cluster with a pool in an Auto Scaling group, its API and its cloud. Checks each call of the agent. */
export class World implements CloudMachines {
    readonly machines = new Map<string, SimulatedMachine>();
    readonly log: string[] = [];
    /** Whether the agent is killed now: asked before and after each thing that it does. */
    dies: () => boolean = () => false;
    isThrottled = false;
    seconds = 1_000_000;
    /** Of the agent's clock. */
    skew = 0;
    #data: Record<string, string> = {};
    #version = 1;
    #created = 0;
    readonly #due: { readonly at: number; readonly run: () => void }[] = [];
    readonly #replaced: { readonly name: string; readonly at: number }[] = [];
    readonly #restarts: { readonly name: string; readonly at: number }[] = [];
    #mostWorkers = 0;
    #violation?: Error;
    /** Of the agent that runs. */
    readonly #watches = new Map<"nodes" | "record", Note>();
    #agent: NodeRepairer;

    constructor(controllers: number, workers: number) {
        for (let index = 0; index < controllers; index++) this.#add(`c-${index}`, true);
        for (let index = 0; index < workers; index++) this.#add();
        this.#agent = this.#newAgent();
    }

    get all(): SimulatedMachine[] {
        return [...this.machines.values()];
    }

    get repairs() {
        return readRepairs({ data: this.#data });
    }

    set(machine: SimulatedMachine, changes: Partial<SimulatedMachine>): void {
        Object.assign(machine, changes, { since: this.seconds });
    }

    remove(machine: SimulatedMachine): void {
        this.machines.delete(machine.name);
        this.#watches.get("nodes")?.({ type: "DELETED", object: this.#node(machine) });
    }

    killAgent(): void {
        this.#agent = this.#newAgent();
    }

    async tick(seconds = 5): Promise<void> {
        this.seconds += seconds;
        for (const due of this.#due.filter(({ at }) => at <= this.seconds)) {
            this.#due.splice(this.#due.indexOf(due), 1);
            due.run();
        }
        for (const machine of this.all) {
            const isUp = machine.state === "up" && machine.isConnected;
            if (isUp) machine.isReady = true;
            else if (this.seconds - machine.since >= graceSeconds && machine.isReady) {
                machine.isReady = false;
                machine.since = this.seconds;
            }
        }
        for (const each of this.all) this.#watches.get("nodes")?.({ type: "MODIFIED", object: this.#node(each) });
        await this.#agent.reconcile();
        // The agent takes what is thrown for a problem of the cloud.
        if (this.#violation !== undefined) throw this.#violation;
    }

    async restarting({ name }: Machine): Promise<undefined> {
        const machine = this.#check(name, "restarted");
        if (machine.isController) {
            const others = this.all.filter((each) => each.isController && each !== machine);
            const total = others.length + 1;
            assert.ok(
                others.every(({ isReady }) => isReady),
                `${name} is restarted, and others are down`,
            );
            assert.ok(others.length > total / 2, `${name} is restarted, and its member is needed`);
        }
        if (machine.state === "broken") return;
        this.set(machine, { state: "booting" });
        this.#later(bootSeconds, () => this.set(machine, { state: "up" }));
    }

    async replacing({ name }: Machine): Promise<undefined> {
        const machine = this.#check(name, "replaced");
        assert.ok(!machine.isController, `${name} is replaced`);
        // A repeated call does nothing.
        if (machine.state === "ending") return;
        this.#replaced.push({ name, at: this.seconds });
        const recent = this.#replaced.filter(({ at }) => this.seconds - at < 3500);
        const most = Math.max(1, Math.floor(this.#mostWorkers / 5));
        assert.ok(recent.length <= most, `${recent.length} machines are replaced within an hour: ${this.#shown()}`);
        this.set(machine, { state: "ending" });
        this.#later(bootSeconds, () => {
            this.remove(machine);
            this.#later(bootSeconds, () => this.#add());
        });
    }

    #check(name: string, what: string): SimulatedMachine {
        if (this.isThrottled) throw new Error("RequestLimitExceeded: Rate exceeded.");
        const machine = this.machines.get(name)!;
        assert.ok(!machine.isReady, `${name} is ${what}, and is Ready`);
        assert.ok(!machine.isHeld, `${name} is ${what} against its annotation`);
        const { machines } = this.repairs;
        const counted = this.all.filter((each) => machines[each.name]?.state !== "manual");
        const down = counted.filter(({ isReady }) => !isReady).length;
        assert.ok(down <= Math.max(1, counted.length * 0.4), `${name} is ${what}, and ${down} nodes are not Ready`);
        this.log.push(`${this.seconds} ${name} ${what}`);
        return machine;
    }

    #later(seconds: number, run: () => void): void {
        this.#due.push({ at: this.seconds + seconds, run });
    }

    #add(name = `i-${(++this.#created).toString(16)}`, isController = false): void {
        const since = this.seconds;
        const machine = { name, isController, isConnected: true, isHeld: false, since, isReady: true };
        this.machines.set(name, { ...machine, state: "up" });
        this.#mostWorkers = Math.max(this.#mostWorkers, this.all.filter((each) => !each.isController).length);
    }

    #newAgent(): NodeRepairer {
        const start = this.seconds;
        this.#watches.clear();
        const api = {
            call: async (path: string, { method = "GET", body }: Call = {}) =>
                this.#dying(() => this.#answer(path, method, body)),
            watch: (path: string, note: Note, _: number, onOpen: () => void) => {
                this.#watches.set(path.startsWith("/api/v1/nodes") ? "nodes" : "record", note);
                onOpen();
                return new Promise(() => {});
            },
        } as unknown as ApiClient;
        return new NodeRepairer({
            api,
            plan,
            cloud: {
                restarting: (machine) => this.#dying(() => this.restarting(machine)),
                replacing: (machine) => this.#dying(() => this.replacing(machine)),
            },
            log: (line) => this.log.push(`${this.seconds} ${line}`),
            clock: () => this.seconds - start,
            now: () => (this.seconds + this.skew) * 1000,
        });
    }

    async #dying<T>(run: () => T | Promise<T>): Promise<T> {
        if (this.dies()) return this.#die();
        const result = await this.#noting(run);
        return this.dies() ? this.#die() : result;
    }

    async #noting<T>(run: () => T | Promise<T>): Promise<T> {
        try {
            return await run();
        } catch (error) {
            if (error instanceof assert.AssertionError) this.#violation ??= error;
            throw error;
        }
    }

    /** The rest of what it does never happens. */
    #die(): Promise<never> {
        this.killAgent();
        throw new Killed("killed");
    }

    #answer(path: string, method: string, body: unknown): unknown {
        const [where = ""] = path.split("?");
        if (where === "/api/v1/nodes") return { items: this.all.map((each) => this.#node(each)) };
        if (where.startsWith("/api/v1/nodes/")) {
            const machine = this.machines.get(where.split("/").at(-1)!);
            if (machine === undefined) throw new ApiError(404, "not found");
            return this.#node(machine);
        }
        if (where.endsWith("/events")) return {};
        if (where.endsWith("/deployments/etcd-keeper")) return { status: { availableReplicas: 1 } };
        if (where.endsWith("/etcd-status")) return { data: { members: JSON.stringify(this.#members()) } };
        if (method === "PATCH") return this.#patch(body as Patch);
        return { items: [this.#record()] };
    }

    #record(): object {
        return { metadata: { name: "r", uid: "r", resourceVersion: String(this.#version) }, data: this.#data };
    }

    #patch({ metadata, data }: Patch): object {
        if (metadata && metadata.resourceVersion !== String(this.#version)) throw new ApiError(409, "conflict");
        const before = this.repairs.machines;
        this.#version++;
        const all = Object.entries({ ...this.#data, ...data }).filter(([, value]) => value !== null);
        this.#data = Object.fromEntries(all) as Record<string, string>;
        this.#watches.get("record")?.({ type: "MODIFIED", object: this.#record() });
        if (data[repairsKey] === undefined) return {};
        for (const [name, { state, uid }] of Object.entries(this.repairs.machines)) {
            if (state === "restarting" && before[name]?.state !== "restarting") this.#noteRestart(uid);
        }
        return {};
    }

    #noteRestart(name: string): void {
        this.#restarts.push({ name, at: this.seconds });
        const own = this.#restarts.filter((each) => each.name === name && this.seconds - each.at < 3 * 3600);
        assert.ok(own.length <= mostRestarts, `${name} is restarted ${own.length} times`);
    }

    #node({ name, isController, isHeld, isReady, since }: SimulatedMachine): object {
        const status = isReady ? "True" : "Unknown";
        const lastTransitionTime = new Date(since * 1000).toISOString();
        return {
            metadata: {
                ...{ name, uid: `uid-${name}` },
                labels: isController ? { [role]: "", [poolLabel]: "controller" } : { [poolLabel]: "default" },
                annotations: isHeld ? { [repairAnnotation]: "off" } : {},
            },
            status: { conditions: [{ type: "Ready", status, lastTransitionTime }] },
        };
    }

    #members(): object {
        const members = this.all.filter(({ isController }) => isController);
        return { members: members.map(({ name, isReady }) => ({ name, ...(!isReady && { problem: "no answer" }) })) };
    }

    #shown(): string {
        return this.log.slice(-30).join("\n");
    }
}
