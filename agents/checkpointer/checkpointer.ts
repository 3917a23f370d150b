import { setTimeout as sleep } from "node:timers/promises";
import { describeError } from "../common/api-error";
import { Api } from "./api";
import { type Action, decide, type Memory } from "./decide";
import { type Observation, type Observer, observe } from "./observe";
import { type CheckpointerPlan, defaultTimings } from "./plan";
import { startCopy, stopCopy } from "./static-pods";
import { type Status, statusOf, writeStatus } from "./status";
import { Store } from "./store";

export interface CheckpointerOptions {
    readonly plan: CheckpointerPlan;
    readonly nodeName: string;
    readonly ownUid: string;
    readonly log: (line: string) => void;
}

/** Milliseconds between two looks, while something may have to be done and while all is well. */
const busyMilliseconds = 500;
const calmMilliseconds = 3_000;

/** Keeps the checkpoints of a controller, and its control plane running by them. */
export class Checkpointer {
    readonly #observer: Observer;
    readonly #log: (line: string) => void;
    #memories = new Map<string, Memory>();
    #problems = "";
    #status: Status = {};
    #published?: string;
    #lastLook = performance.now();

    constructor({ plan, nodeName, ownUid, log }: CheckpointerOptions) {
        const store = new Store(plan.directories.checkpoints);
        this.#observer = { plan, store, ownUid, api: new Api(plan, nodeName) };
        this.#log = log;
    }

    /** Why it does not work, if so. */
    stall(): string | undefined {
        const seconds = (performance.now() - this.#lastLook) / 1000;
        return seconds > 60 ? `no look at the node for ${seconds.toFixed(0)} s` : undefined;
    }

    /** Which parents that every controller runs have no checkpoint. */
    missing(): string | undefined {
        const { plan } = this.#observer;
        const without = [plan.self, ...plan.expects].filter((parent) => this.#status[parent]?.checkpoint === undefined);
        return without.length > 0 ? `no checkpoint of ${without.join(", ")}` : undefined;
    }

    /** Looks and acts again and again, until `isOver` says so. */
    async run(isOver: () => Promise<boolean>): Promise<void> {
        while (!(await isOver())) {
            let isCalm = false;
            try {
                isCalm = await this.look();
            } catch (error) {
                this.#log(`looking at the node failed: ${describeError(error)}`);
            }
            await sleep(isCalm ? calmMilliseconds : busyMilliseconds);
        }
    }

    /** One look at the node, and what follows from it. Returns whether all is as it should stay. */
    async look(): Promise<boolean> {
        const observation = await observe(this.#observer);
        this.#lastLook = performance.now();
        this.#report(observation.problems.join("; "));
        const acted = this.#act(observation);
        // What was done shows in the next look.
        await this.#tell(statusOf(observation, this.#observer.store), observation.isApiKnown);
        return !acted && observation.isApiKnown && this.#isCalm(observation);
    }

    #act(observation: Observation): boolean {
        const { plan } = this.#observer;
        const timings = { ...defaultTimings, ...plan.timings };
        const now = performance.now() / 1000;
        const memories = new Map<string, Memory>();
        let acted = false;
        for (const [parent, sight] of observation.sights) {
            const { actions, memory } = decide(sight, this.#memories.get(parent) ?? {}, now, timings);
            memories.set(parent, memory);
            for (const action of actions) {
                acted = true;
                this.#do(action, parent, observation);
            }
        }
        this.#memories = memories;
        return acted;
    }

    #do(action: Action, parent: string, { drafts, sights }: Observation): void {
        const { plan, store } = this.#observer;
        const { staticPods } = plan.directories;
        switch (action) {
            case "activate":
                startCopy(staticPods, parent, store.manifest(parent));
                break;
            case "deactivate":
                stopCopy(staticPods, parent);
                break;
            case "save":
                store.save(drafts.get(parent)!, new Date(), sights.get(parent)?.active);
                break;
            case "forget":
                store.forget(parent);
        }
        this.#log(`${parent}: ${told[action]} ${store.current(parent)?.generation ?? ""}`.trimEnd());
    }

    async #tell(status: Status, isApiKnown: boolean): Promise<void> {
        const text = JSON.stringify(status);
        if (text !== JSON.stringify(this.#status)) {
            writeStatus(this.#observer.plan, status);
            this.#status = status;
        }
        if (isApiKnown && text !== this.#published) {
            try {
                await this.#observer.api.publish(text);
                this.#published = text;
            } catch (error) {
                this.#report(`publishing the status: ${describeError(error)}`);
            }
        }
    }

    #isCalm({ sights }: Observation): boolean {
        return [...sights].every(([parent, { kind, saved, active, pod, serves, api, draft }]) => {
            const isAsSaved = draft === undefined || draft.generation === saved;
            const isAlone = kind === "self" || (active === undefined && serves === true);
            const isCounting = this.#memories.get(parent)?.goneSince !== undefined;
            return isAsSaved && isAlone && pod === "alive" && api === "listed" && !isCounting;
        });
    }

    /** A problem that lasts is told once. */
    #report(problems: string): void {
        if (problems !== this.#problems) {
            this.#log(problems === "" ? "the API and the container runtime answer" : `can't ask ${problems}`);
        }
        this.#problems = problems;
    }
}

const told: Record<Action, string> = {
    activate: "starting its copy",
    deactivate: "stopping its copy",
    save: "saved as checkpoint",
    forget: "is no more; its checkpoints are removed",
};
