import { setTimeout as sleep } from "node:timers/promises";
import type { RuntimePod } from "../../clients/containerd/pods";
import { describeError } from "../../clients/kubernetes/api-error";
import { isCurrent } from "../../clients/kubernetes/pods";
import type { Metric } from "../harness/metrics";
import type { ApiView, NodeView } from "./api";
import { CertificateEnds } from "./certificate-ends";
import { type Action, decide, type Memory } from "./decide";
import { actionKey, checkpointerMetrics } from "./metrics";
import { type Observation, type Observer, observe } from "./observe";
import { parentOf } from "./parent";
import { type CheckpointerPlan, defaultTimings, publishSeconds } from "./plan";
import { removeEnded, removePods } from "./shutdown";
import { ownProblem } from "./standby";
import { startCopy, stopCopy } from "./static-pods";
import { describeDamage, type Status, statusOf, writeStatus } from "./status";
import { Store } from "./store";

export interface CheckpointerOptions {
    readonly plan: CheckpointerPlan;
    readonly api: ApiView;
    /** Lists the pods that the container runtime has. */
    readonly runtime: () => Promise<readonly RuntimePod[]>;
    /** UID of the pod that the agent runs in. */
    readonly ownUid: string;
    readonly log: (line: string) => void;
}

/** Milliseconds between two reconciles: during changes, while something is persistently wrong, and when all is well. */
const intervals = { busy: 500, lasting: 2_000, calm: 15_000 } as const;

/**
 * Milliseconds between two checks of the runtime and the Node alone. They trigger a reconcile if a pod was added or
 * removed, or the Node deleted: its pods are terminated soon afterwards.
 */
const glanceMilliseconds = 2_000;

/** Milliseconds for which reconciles that find all well use the pods that a watch reports, instead of a list from etcd. */
const watchedMilliseconds = 60_000;

/** Milliseconds after the last change during which another is likely. */
const changingMilliseconds = 60_000;

/** Milliseconds between two comparisons of all checkpoints with their SHA-256. */
const verifyMilliseconds = 60_000;

/** Maintains a controller's checkpoints, and keeps its control plane running with them. */
export class Checkpointer {
    readonly #observer: Observer;
    readonly #log: (line: string) => void;
    #memories = new Map<string, Memory>();
    #problems = "";
    #status: Status = {};
    /** Why the status is not on the disk. */
    #unwritten?: string;
    /** By parent: what failed last. */
    readonly #failures = new Map<string, string>();
    #ownProblem?: string;
    #isLeaving = false;
    #lastLook = performance.now();
    #lastChange = performance.now();
    #lastListed = Number.NEGATIVE_INFINITY;
    #lastVerified = Number.NEGATIVE_INFINITY;
    #lastPublished = Number.NEGATIVE_INFINITY;
    #damage = "";
    #observed = "";
    #glanced = "";
    readonly #certificates: CertificateEnds;
    #current: ReadonlyMap<string, boolean> = new Map();
    readonly #actions = new Map<string, number>();

    constructor({ log, ...observer }: CheckpointerOptions) {
        this.#observer = { ...observer, store: new Store(observer.plan.directories.checkpoints) };
        this.#certificates = new CertificateEnds(observer.plan);
        this.#log = log;
    }

    /** Why it is stalled, if it is. */
    stall(): string | undefined {
        const seconds = (performance.now() - this.#lastLook) / 1000;
        return seconds > 60 ? `no reconcile for ${seconds.toFixed(0)} s` : undefined;
    }

    /**
     * Which parents that every controller runs have no checkpoint, and whether its own is that of its pod. A node being
     * removed keeps none.
     */
    missing(): string | undefined {
        const { plan } = this.#observer;
        if (this.#isLeaving) {
            return undefined;
        }
        const without = [plan.self, ...plan.expects].filter((parent) => this.#status[parent]?.checkpoint === undefined);
        return without.length > 0 ? `no checkpoint of ${without.join(", ")}` : this.#ownProblem;
    }

    metrics(): Metric[] {
        return checkpointerMetrics({
            status: this.#status,
            current: this.#current,
            actions: this.#actions,
            certificates: this.#certificates.all(),
            idleSeconds: (performance.now() - this.#lastLook) / 1000,
        });
    }

    /** Reconciles repeatedly until `isOver` returns true. */
    async run(isOver: () => Promise<boolean>): Promise<void> {
        let isQuiet = false;
        while (!(await isOver())) {
            let pace: keyof typeof intervals = "busy";
            try {
                pace = await this.reconcile(isQuiet);
            } catch (error) {
                this.#log(`reconcile failed: ${describeError(error)}`);
            }
            const isUndisturbed = await this.#rest(intervals[pace], isOver);
            isQuiet = pace === "calm" && isUndisturbed;
        }
    }

    /**
     * Observes the node and acts on it.
     *
     * @param isQuiet - whether all was well, and nothing has changed since
     * @returns how soon to do so again
     */
    async reconcile(isQuiet = false): Promise<keyof typeof intervals> {
        this.#verify();
        const observation = await this.#observe(isQuiet);
        this.#lastLook = performance.now();
        this.#report(observation.problems.join("; "));
        this.#isLeaving = observation.node?.isLeaving ?? false;
        const before = JSON.stringify([...observation.allObserved]);
        if ((await this.#act(observation)) || before !== this.#observed) {
            this.#lastChange = performance.now();
        }
        this.#observed = before;
        this.#ownProblem = this.#lookAtOwn(observation);
        this.#glanced = this.#summary(observation.runtimePods ?? []);
        this.#current = currentOf(observation);
        this.#certificates.note(observation.drafts);
        await this.#tell(statusOf(observation, this.#observer.store), observation.node);
        await removeEnded(observation.ended, this.#observer.api, this.#log);
        if (this.#isCalm(observation)) {
            return "calm";
        }
        return performance.now() - this.#lastChange < changingMilliseconds ? "busy" : "lasting";
    }

    async #observe(isQuiet: boolean): Promise<Observation> {
        if (isQuiet && performance.now() - this.#lastListed < watchedMilliseconds) {
            const watched = await observe(this.#observer, true);
            if (this.#isCalm(watched)) return watched;
        }
        this.#lastListed = performance.now();
        return observe(this.#observer);
    }

    #verify(): void {
        const { store } = this.#observer;
        if (performance.now() - this.#lastVerified < verifyMilliseconds) return;
        this.#lastVerified = performance.now();
        try {
            store.verify();
        } catch (error) {
            // On a full disk no other checkpoint becomes current: that must not keep copies from starting.
            this.#log(`could not replace a damaged checkpoint: ${describeError(error)}`);
        }
        this.#reportDamage();
    }

    #reportDamage(): void {
        const { store } = this.#observer;
        const lines = store.damaged().map((parent) => {
            const current = store.current(parent)?.generation;
            const used = current === undefined ? "it has no whole checkpoint" : `checkpoint ${current} is current`;
            return `${parent}: ${store.damage(parent).map(describeDamage).join(", ")}; ${used}`;
        });
        if (lines.join() !== this.#damage) {
            for (const line of lines) this.#log(line);
        }
        this.#damage = lines.join();
    }

    /**
     * Waits, but no longer than until a pod is added or removed, or the Node deleted.
     *
     * @returns whether none of that happened
     */
    async #rest(milliseconds: number, isOver: () => Promise<boolean>): Promise<boolean> {
        const end = performance.now() + milliseconds;
        for (let left = milliseconds; left > 0; left = end - performance.now()) {
            await sleep(Math.min(left, glanceMilliseconds));
            if (milliseconds <= glanceMilliseconds) continue;
            const hasChanged = (await this.#glance()) !== this.#glanced || (await this.#isUnplaced());
            if (hasChanged || (await isOver())) return false;
        }
        return true;
    }

    async #isUnplaced(): Promise<boolean> {
        try {
            const node = await this.#observer.api.node();
            return !node?.hasRole && !node?.isLeaving;
        } catch {
            return false;
        }
    }

    #summary(pods: readonly RuntimePod[]): string {
        const planned = pods.filter((pod) => parentOf(pod, this.#observer.plan) !== undefined);
        return JSON.stringify(planned.map(({ uid, isAlive, running }) => [uid, isAlive, running]));
    }

    /** Which pods are alive, at a fraction of the cost of a reconcile. */
    async #glance(): Promise<string> {
        try {
            return this.#summary(await this.#observer.runtime());
        } catch (error) {
            return describeError(error);
        }
    }

    async #act(observation: Observation): Promise<boolean> {
        const { plan } = this.#observer;
        const timings = { ...defaultTimings, ...plan.timings };
        const now = performance.now() / 1000;
        const memories = new Map<string, Memory>();
        let acted = false;
        for (const [parent, observed] of observation.allObserved) {
            const { actions, memory } = decide(observed, this.#memories.get(parent) ?? {}, now, timings);
            memories.set(parent, memory);
            const isDone = await this.#try(actions, parent, observation);
            acted ||= isDone && actions.length > 0;
        }
        this.#memories = memories;
        return acted;
    }

    #lookAtOwn({ allObserved, refusals }: Observation): string | undefined {
        const { plan, store, ownUid } = this.#observer;
        const { self } = plan;
        const own = {
            ...{ self, uid: ownUid, saved: store.current(self), observed: allObserved.get(self) },
            ...{ memory: this.#memories.get(self), refusal: refusals.get(self) },
        };
        return ownProblem(own, performance.now() / 1000, { ...defaultTimings, ...plan.timings });
    }

    /** A failure for one parent, say on a full disk, must not keep the others from their copies. It is logged once. */
    async #try(actions: readonly Action[], parent: string, observation: Observation): Promise<boolean> {
        try {
            for (const action of actions) {
                await this.#do(action, parent, observation);
            }
            this.#failures.delete(parent);
            return true;
        } catch (error) {
            const line = `${parent}: ${actions.join(", ")} failed: ${describeError(error)}`;
            if (line !== this.#failures.get(parent)) this.#log(line);
            this.#failures.set(parent, line);
            return false;
        }
    }

    async #do(action: Action, parent: string, { drafts, listed, allObserved }: Observation): Promise<void> {
        const { plan, store, api } = this.#observer;
        const { staticPods } = plan.directories;
        const key = actionKey(parent, action);
        this.#actions.set(key, (this.#actions.get(key) ?? 0) + 1);
        switch (action) {
            case "activate":
                store.verifyParent(parent);
                if (store.current(parent) === undefined) throw new Error("no checkpoint of it is whole");
                startCopy(staticPods, parent, store.manifest(parent));
                break;
            case "deactivate":
                stopCopy(staticPods, parent);
                break;
            case "save":
                store.save(drafts.get(parent)!, new Date(), allObserved.get(parent)?.active);
                break;
            case "forget":
                store.forget(parent);
                break;
            case "release":
                await removePods((listed.get(parent) ?? []).filter(isCurrent), "its Node is missing", api, this.#log);
                return;
        }
        this.#log(`${parent}: ${descriptions[action]} ${store.current(parent)?.generation ?? ""}`.trimEnd());
    }

    async #tell(status: Status, node: NodeView | undefined): Promise<void> {
        const text = JSON.stringify(status);
        const isNew = text !== JSON.stringify(this.#status);
        this.#status = status;
        if (isNew || this.#unwritten !== undefined) this.#write(status);
        // Compared with the Node, not with what was last published: a Node may be registered again, and etcd restored.
        const isDue = performance.now() - this.#lastPublished > publishSeconds * 1000;
        if (node && (text !== node.status || isDue)) {
            try {
                await this.#observer.api.publish(text, new Date());
                this.#lastPublished = performance.now();
            } catch (error) {
                // The next reconcile tries again.
                this.#log(`could not publish the status: ${describeError(error)}`);
            }
        }
    }

    /** Only for inspection: a full disk must not keep it from the Node. */
    #write(status: Status): void {
        try {
            writeStatus(this.#observer.plan, status);
            this.#unwritten = undefined;
        } catch (error) {
            const why = describeError(error);
            if (why !== this.#unwritten) this.#log(`could not write its status: ${why}`);
            this.#unwritten = why;
        }
    }

    #isCalm({ allObserved, refusals, isApiKnown }: Observation): boolean {
        const isWell = [...allObserved].every(([parent, { kind, saved, active, pod, serves, api, draft }]) => {
            const isSaved = refusals.has(parent) || (saved !== undefined && (draft === undefined || draft.isSaved));
            const isAlone = kind === "self" || (active === undefined && serves === true);
            const isCounting = this.#memories.get(parent)?.removedSince !== undefined;
            return isSaved && isAlone && pod === "alive" && api === "listed" && !isCounting;
        });
        return isApiKnown && isWell;
    }

    /** A persistent problem is logged once. */
    #report(problems: string): void {
        if (problems !== this.#problems) {
            this.#log(problems === "" ? "the API and the container runtime answer" : `cannot reach ${problems}`);
        }
        this.#problems = problems;
    }
}

/** Whether each checkpoint is that of the running pod, if the pod is known. */
function currentOf({ allObserved }: Observation): Map<string, boolean> {
    return new Map(
        [...allObserved].flatMap(([parent, { draft }]) => (draft ? [[parent, draft.isSaved] as const] : [])),
    );
}

const descriptions: Record<Exclude<Action, "release">, string> = {
    activate: "starting its copy",
    deactivate: "stopping its copy",
    save: "saved as checkpoint",
    forget: "is not to run here; its checkpoints are removed",
};
