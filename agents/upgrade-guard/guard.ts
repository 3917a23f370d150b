import { join } from "node:path";
import type { Caller } from "../../clients/kubernetes/api-client";
import { describeError } from "../../clients/kubernetes/api-error";
import type { ConfigMap } from "../../clients/kubernetes/objects";
import { writeDurably } from "../harness/durable";
import { jsonObject, readState } from "../harness/state-file";
import { decide, leastBaseline, type Sample } from "./decide";
import type { UpgradeGuardPlan } from "./plan";
import { type Breach, describeBreach, type GuardReport, isOver, type UpgradeRecord } from "./record";
import { type Guarded, guardedIn, laterOf, readGuarded, tell, writeReport } from "./reports";
import { removeBroken, TakingBack } from "./take-back";

/** What survives the agent's process: a kill, a power cut. */
interface State extends Guarded {
    /** Samples before the upgrade, oldest first. */
    readonly before: readonly Sample[];
    /** When this guard first saw the upgrade, and that it was rolled out, by its own clock: milliseconds since 1970. */
    readonly foundAt?: number;
    readonly rolledOutAt?: number;
    /** UID of the pod that wrote this. */
    readonly pod?: string;
}

interface Dependencies {
    readonly api: Caller;
    /** A client of a kube-apiserver at a loopback address. */
    readonly apiAt: (address: string) => Caller;
    /** The ConfigMap of the record, if there is one: reading it costs no request. */
    readonly watched: { read(): Promise<readonly ConfigMap[]> };
    readonly measurements: { take(since?: number, isStarting?: boolean): Promise<Sample> };
    readonly wayIn: {
        readonly address: string | undefined;
        open(record: UpgradeRecord): boolean;
        close(): void;
    };
    readonly node: string;
    /** UID of this pod. */
    readonly pod: string;
    readonly log?: (line: string) => void;
    /** Monotonic milliseconds. */
    readonly clock?: () => number;
    /** Milliseconds since 1970. Read once: a clock that jumps must not end the guard. */
    readonly now?: () => number;
}

/** Milliseconds between reconciles. An idle one makes no request, unless a measurement is due. */
const idle = 2_000;
const guarding = 1_500;
const takingBack = 1_000;

/** Samples before an upgrade: in the end an hour's. */
const mostBefore = 12;
/** Milliseconds between them: until anything can be compared, until there are all, and from then on. */
const beforeMilliseconds = { first: 5_000, next: 30_000, later: 300_000 };
const mostSince = 60;
/** For which a failing API, and restarts, are no breach after the agent's start: its machine may have started. */
const startMilliseconds = 60_000;
/** After which the earlier kube-apiserver is started, because the API refuses to take the upgrade back. */
const refusedMilliseconds = 4_000;
/** After which an upgrade that never ended is no longer guarded. */
const longestMilliseconds = 3_600_000;

/** Guards the upgrades of the control plane on one node. */
export class UpgradeGuard {
    #state: State;
    /** Samples since the upgrade began. */
    #since: Sample[] = [];
    #undecided = 0;
    #decided = 0;
    #sampledAt = Number.NEGATIVE_INFINITY;
    #isPublished = false;
    #taking?: { readonly back: TakingBack; readonly since: number };
    #refusedSince?: number;
    #useWayIn = true;
    #said?: string;
    /** State on the disk, and why the current one is not. */
    #written?: string;
    #unwritten?: string;
    readonly #file: string;
    readonly #startedAt: number;
    /** This pod ran before: it was killed, or its machine has started again. A rollout makes another pod. */
    readonly #isRestarted: boolean;
    readonly #log: (line: string) => void;
    readonly #clock: () => number;
    readonly #now: () => number;

    constructor(
        private readonly plan: UpgradeGuardPlan,
        private readonly deps: Dependencies,
    ) {
        const { log = console.log, clock = () => performance.now(), now = Date.now } = deps;
        this.#startedAt = clock();
        const start = now() - clock();
        [this.#log, this.#clock, this.#now] = [log, clock, () => start + clock()];
        this.#file = join(plan.directories.state, "state.json");
        this.#state = { before: [], ...readState<Partial<State>>(this.#file, jsonObject, log) };
        this.#isRestarted = this.#state.pod === deps.pod;
        this.#keep({ pod: deps.pod });
    }

    /** Reconciles once. @returns milliseconds until the next time */
    async reconcile(): Promise<number> {
        const { report } = this.#state;
        if (report?.state === "rolling-back") return this.#takeBack();
        if (await this.#mayGuard()) await this.#read(this.deps.api);
        const { record } = this.#state;
        if (record === undefined || isOver(this.#state)) {
            if (this.deps.wayIn.address !== undefined) this.deps.wayIn.close();
            await this.#measureBefore();
            return idle;
        }
        if (this.#state.report?.state === "rolling-back") return this.#takeBack();
        await this.#guard(record);
        return guarding;
    }

    /** Whether there may be an upgrade to guard. What is watched may be a moment old: it is only a hint. */
    async #mayGuard(): Promise<boolean> {
        if (this.#state.record !== undefined && !isOver(this.#state)) return true;
        try {
            const [map] = await this.deps.watched.read();
            const found = guardedIn(map);
            return found.record !== undefined && !isOver(found);
        } catch (error) {
            this.#say(`the record of upgrades could not be watched: ${describeError(error)}`);
            return false;
        }
    }

    /** Takes over what `up` and other guards wrote. */
    async #read(api: Caller): Promise<void> {
        try {
            const { record, report } = await readGuarded(api);
            if (record === undefined) return;
            const isOther = record.id !== this.#state.record?.id;
            if (isOther) {
                this.#log(`guarding the upgrade from Kubernetes ${record.from} to ${record.to}`);
                [this.#since, this.#undecided, this.#decided, this.#taking] = [[], 0, 0, undefined];
                this.#useWayIn = true;
                // The next sample is of the time since now, not since the last one before the upgrade.
                await this.deps.measurements.take();
            }
            const { report: own } = isOther ? {} : this.#state;
            const kept = own === undefined ? report : laterOf(own, report);
            const { rolledOutAt = record.rolledOut ? this.#now() : undefined } = isOther ? {} : this.#state;
            const { foundAt = this.#now() } = isOther ? {} : this.#state;
            this.#isPublished = JSON.stringify(kept) === JSON.stringify(report);
            this.#keep({ record, report: kept, foundAt, rolledOutAt });
            if (kept === undefined) await this.#report(api, { state: "guarding" });
            else if (!this.#isPublished) await this.#publish(api);
        } catch (error) {
            this.#say(`the record of upgrades could not be read or written: ${describeError(error)}`);
        }
    }

    async #measureBefore(): Promise<void> {
        const { before } = this.#state;
        const { first, next, later } = beforeMilliseconds;
        const every = before.length < leastBaseline ? first : before.length < mostBefore ? next : later;
        if (this.#clock() - this.#sampledAt < every) return;
        this.#sampledAt = this.#clock();
        const sample = await this.deps.measurements.take();
        this.#keep({ before: [...before, sample].slice(-mostBefore) });
    }

    async #guard(record: UpgradeRecord): Promise<void> {
        const { before, foundAt = this.#now(), rolledOutAt } = this.#state;
        const sample = await this.deps.measurements.take(foundAt, this.#isRestarted && this.#isNew());
        this.#since = [...this.#since, sample].slice(-mostSince);
        const { breach, undecided } = decide(before, this.#since);
        if (breach && !this.#isStarting()) {
            // Another guard may just have found that all is well.
            await this.#read(this.deps.api);
            if (isOver(this.#state)) return;
            await this.#begin({ ...breach, what: `${breach.what} on ${this.deps.node}`, at: this.#time() });
            return;
        }
        if (undecided) this.#undecided++;
        else this.#decided++;
        const end = rolledOutAt === undefined ? foundAt + longestMilliseconds : rolledOutAt + record.soakSeconds * 1000;
        if (this.#now() >= end) {
            const why = undecided ?? (rolledOutAt === undefined ? "the upgrade did not end within an hour" : undefined);
            const isUndecided = rolledOutAt === undefined || this.#undecided > this.#decided;
            const result = isUndecided ? { state: "undecided" as const, undecided: why } : { state: "passed" as const };
            this.#log(`the soak of Kubernetes ${record.to} ended: ${result.state}${why ? `: ${why}` : ""}`);
            return this.#report(this.deps.api, result);
        }
        const isNew = (undecided === undefined) !== (this.#state.report?.undecided === undefined);
        if (isNew) await this.#report(this.deps.api, { state: "guarding", undecided });
    }

    /** Without an API since this agent started: it may be starting, too. */
    #isStarting(): boolean {
        const hasAnswered = this.#since.some(({ read, write }) => read !== undefined && write !== undefined);
        return !hasAnswered && this.#isNew();
    }

    #isNew(): boolean {
        return this.#clock() - this.#startedAt < startMilliseconds;
    }

    async #begin(breach: Breach): Promise<void> {
        const { from, to } = this.#state.record!;
        this.#log(`taking Kubernetes ${to} back to ${from}: ${describeBreach(breach)}`);
        await this.#report(this.deps.api, { state: "rolling-back", breach });
    }

    async #takeBack(): Promise<number> {
        const { wayIn, apiAt, node } = this.deps;
        const record = this.#state.record!;
        this.#taking ??= { back: new TakingBack(record, this.plan.fieldManager, this.#clock), since: this.#clock() };
        const { back, since } = this.#taking;
        const earlier = wayIn.address;
        const address = this.#useWayIn ? earlier : undefined;
        const api = address === undefined ? this.deps.api : apiAt(address);
        try {
            if (!this.#isPublished) await this.#publish(api);
            // What refuses writes would do so in every rollout on the way, and the earlier version serves already.
            const isDone = await back.act(api, earlier !== undefined);
            if (address !== undefined) await removeBroken(api, node, record);
            this.#refusedSince = undefined;
            if (!isDone) return takingBack;
            const seconds = Math.round((this.#clock() - since) / 1000);
            this.#log(`took Kubernetes ${record.to} back to ${record.from} in ${seconds} s`);
            const { breach } = this.#state.report!;
            await this.#report(api, { state: "rolled-back", ...(breach && { breach }) });
            // Its own kube-apiserver is among those that are ready.
            wayIn.close();
        } catch (error) {
            this.#say(`the upgrade could not be taken back: ${describeError(error)}`);
            this.#refusedSince ??= this.#clock();
            if (this.#clock() - this.#refusedSince >= refusedMilliseconds) this.#enter(record);
        }
        return takingBack;
    }

    /** The earlier kube-apiserver may take what this one refuses. Both are tried in turn, since it starts in a while. */
    #enter(record: UpgradeRecord): void {
        const { wayIn } = this.deps;
        try {
            if (wayIn.address !== undefined) this.#useWayIn = !this.#useWayIn;
            else if (wayIn.open(record)) this.#log("started the earlier kube-apiserver as a static pod");
            else this.#say("the checkpointer has no copy of the earlier kube-apiserver");
        } catch (error) {
            this.#say(`the earlier kube-apiserver could not be started: ${describeError(error)}`);
        }
    }

    /** To disk first: a kill in between loses nothing. */
    async #report(api: Caller, report: Omit<GuardReport, "id" | "since">): Promise<void> {
        const { record, report: last } = this.#state;
        const since = last?.state === report.state ? last.since : this.#time();
        this.#keep({ report: { ...report, id: record!.id, since } });
        this.#isPublished = false;
        try {
            await this.#publish(api);
        } catch (error) {
            this.#say(`the report could not be written: ${describeError(error)}`);
        }
    }

    async #publish(api: Caller): Promise<void> {
        await writeReport(api, this.#state.report!);
        this.#isPublished = true;
        await tell(api, this.#state, this.deps.node);
    }

    /** Even if the disk is full: an upgrade that filled it must be taken back. */
    #keep(change: Partial<State>): void {
        this.#state = { ...this.#state, ...change };
        const next = JSON.stringify(this.#state);
        if (next === this.#written) return;
        try {
            writeDurably(this.#file, next);
            [this.#written, this.#unwritten] = [next, undefined];
        } catch (error) {
            const why = describeError(error);
            if (why !== this.#unwritten) this.#log(`its state could not be written: ${why}`);
            this.#unwritten = why;
        }
    }

    #time(): string {
        return new Date(this.#now()).toISOString();
    }

    /** A persistent problem is logged once. */
    #say(line: string): void {
        if (line !== this.#said) this.#log(line);
        this.#said = line;
    }
}
