import { describeError } from "../../../../clients/kubernetes/api-error";
import type { Memory } from "../memory";
import type { Limits } from "../plan";
import type { StateFile } from "../state-file";
import {
    type ContainerRuntimeAction,
    type ContainerRuntimeDecision,
    type ContainerRuntimeObservation,
    decideContainerRuntime,
    runtimeTarget,
} from "./decide";
import { type ContainerRuntimeJournal, containerRuntimeJournalFile } from "./journal";
import type { ContainerRuntimeSeen } from "./observe";
import type { ContainerRuntimes } from "./runtimes";

/** Milliseconds before a failed download is retried. */
const againMilliseconds = 15_000;

/** A change of a node's container runtime and its progress. */
export class ContainerRuntimeChange {
    readonly #file: StateFile<ContainerRuntimeJournal>;
    #journal: ContainerRuntimeJournal;
    #memory?: Memory;
    #fetchProblem?: string;
    #failedAt = Number.NEGATIVE_INFINITY;

    constructor(
        stateDirectory: string,
        private readonly runtimes: ContainerRuntimes,
        private readonly log: (line: string) => void,
    ) {
        this.#file = containerRuntimeJournalFile(stateDirectory);
        this.#journal = this.#file.read();
    }

    /** Why it failed, if it did. */
    failure(): string | undefined {
        return this.#journal.phase === "failed" ? this.#journal.reason : undefined;
    }

    /** Whether it is in progress or has failed. */
    get isBegun(): boolean {
        return this.#journal.phase !== "idle";
    }

    /** Decides the next actions and writes the journal. */
    decide(seen: ContainerRuntimeSeen, isOtherChanging: boolean, limits: Limits): ContainerRuntimeDecision {
        const observed: ContainerRuntimeObservation = {
            ...seen,
            isOtherChanging,
            ...(this.#fetchProblem !== undefined && { fetchProblem: this.#fetchProblem }),
        };
        const before = this.#journal;
        const decision = decideContainerRuntime(before, observed, this.#memory, performance.now() / 1000, limits);
        this.#memory = decision.memory;
        if (JSON.stringify(decision.journal) !== JSON.stringify(before)) {
            // Nothing is known about the change that begins.
            if (before.phase === "idle") this.runtimes.forget();
            this.#file.write(decision.journal);
            this.#journal = decision.journal;
        }
        if (before.phase === "changing" && !this.isBegun) this.runtimes.clear([before.from.id, before.to.id]);
        return decision;
    }

    /** Resets how long observations have lasted. */
    interrupt(): void {
        this.#memory = undefined;
    }

    /** Failures are reported by the next reconcile. */
    async act(
        action: Exclude<ContainerRuntimeAction, "cordon" | "evict">,
        { wanted }: ContainerRuntimeSeen,
    ): Promise<void> {
        const target = runtimeTarget(this.#journal);
        if (action === "fetch runtime") {
            if ("refusal" in wanted || performance.now() - this.#failedAt < againMilliseconds) return;
            this.#fetchProblem = await this.runtimes.fetch(wanted).then(() => undefined, describeError);
            if (this.#fetchProblem !== undefined) this.#failedAt = performance.now();
        } else if (action === "keep runtime") {
            this.runtimes.keep();
        } else if (target) {
            this.runtimes.request(target.id);
        }
        this.log(`${action}: ${this.#fetchProblem ?? "done"}`);
    }
}
