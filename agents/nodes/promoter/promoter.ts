import { describeError } from "../../../clients/kubernetes/api-error";
import { act, writeProgress } from "./act";
import { decide } from "./decide";
import { type Clients, Observer } from "./observe";

/** Milliseconds until the next reconcile: after an action, while a change waits, and otherwise. */
export const intervals = { busy: 300, pending: 1_000, calm: 5_000 } as const;

/** Makes candidates controllers and controllers candidates. Its state is the record. */
export class Promoter {
    readonly #observer: Observer;
    #said?: string;

    constructor(
        private readonly clients: Clients,
        private readonly log: (line: string) => void,
        /** Monotonic seconds. */
        private readonly clock: () => number = () => performance.now() / 1000,
    ) {
        this.#observer = new Observer(clients);
    }

    /** Reconciles once. Errors are logged, and the next reconcile retries. @returns how soon that should be */
    async reconcile(): Promise<keyof typeof intervals> {
        try {
            return await this.#reconcile();
        } catch (error) {
            this.#say(`retrying: ${describeError(error)}`);
            return "pending";
        }
    }

    async #reconcile(): Promise<keyof typeof intervals> {
        if (!(await this.#observer.isActor())) {
            this.#observer.forget();
            this.#say("the member of another machine leads");
            return "calm";
        }
        const observation = await this.#observer.observe(this.clock());
        const action = decide(observation.observed, this.clients.plan);
        if (action.do === "wait") {
            this.#say(action.why);
            await writeProgress(this.clients, observation.config, action.isPending ? action.why : undefined);
            return action.isPending ? "pending" : "calm";
        }
        const done = await act({ ...this.clients, log: this.log }, action, observation);
        this.#said = undefined;
        this.log(done);
        return "busy";
    }

    /** A persistent problem is logged once. */
    #say(line: string): void {
        if (line !== this.#said) this.log(line);
        this.#said = line;
    }
}
