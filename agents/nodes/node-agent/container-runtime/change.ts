import { targetOf } from "../change";
import type { Limits } from "../plan";
import { Attempts, Progress } from "../progress";
import { type ContainerRuntimeAction, type ContainerRuntimeJournal, decideContainerRuntime } from "./decide";
import type { ContainerRuntimeSeen } from "./observe";
import type { ContainerRuntimes } from "./runtimes";

/** A change of a node's container runtime. */
export class ContainerRuntimeChange extends Progress<ContainerRuntimeJournal> {
    readonly #attempts = new Attempts();

    constructor(
        stateDirectory: string,
        private readonly runtimes: ContainerRuntimes,
        private readonly log: (line: string) => void,
    ) {
        super(stateDirectory, "container-runtime-journal.json");
    }

    decide(seen: ContainerRuntimeSeen, isOtherChanging: boolean, limits: Limits) {
        const observed = { ...seen, ...this.#attempts.observed, isOtherChanging };
        const before = this.journal;
        const decision = this.advance((journal, memory, now) => {
            const made = decideContainerRuntime(journal, observed, memory, now, limits);
            // Nothing is known about a change that begins.
            if (!this.isBegun && made.journal.phase !== "idle") this.runtimes.forget();
            return made;
        });
        if (before.phase === "changing" && !this.isBegun) this.runtimes.clear([before.from.id, before.to.id]);
        return decision;
    }

    /** Failures are reported by the next reconcile. */
    async act(action: ContainerRuntimeAction, { wanted }: ContainerRuntimeSeen): Promise<void> {
        let problem: string | undefined;
        const target = targetOf(this.journal);
        if (action === "fetch runtime") {
            if ("refusal" in wanted || this.#attempts.isPaused) return;
            problem = await this.#attempts.try(() => this.runtimes.fetch(wanted));
        } else if (action === "keep runtime") {
            this.runtimes.keep();
        } else if (target) {
            this.runtimes.request(target.id);
        }
        this.log(`${action}: ${problem ?? "done"}`);
    }
}
