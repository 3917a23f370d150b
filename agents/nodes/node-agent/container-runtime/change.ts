import { describeError } from "../../../../clients/kubernetes/api-error";
import type { Memory } from "../memory";
import type { Limits } from "../plan";
import type { StateFile } from "../state-file";
import {
    type ContainerRuntimeAction,
    type ContainerRuntimeDecision,
    type ContainerRuntimeSight,
    decideContainerRuntime,
    runtimeTarget,
} from "./decide";
import { type ContainerRuntimeJournal, containerRuntimeJournalFile } from "./journal";
import type { ContainerRuntimeSeen } from "./observe";
import type { ContainerRuntimes } from "./runtimes";

/** Milliseconds after a download that failed until it is tried again. */
const againMilliseconds = 15_000;

/** The change of a node's container runtime, and where it stands. */
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

    /** Why it failed, if so. */
    failure(): string | undefined {
        return this.#journal.phase === "failed" ? this.#journal.reason : undefined;
    }

    /** Whether it is under way, or failed. */
    get isBegun(): boolean {
        return this.#journal.phase !== "idle";
    }

    /** What is to be done, journaled. */
    decide(seen: ContainerRuntimeSeen, isOtherChanging: boolean, limits: Limits): ContainerRuntimeDecision {
        const sight: ContainerRuntimeSight = {
            ...seen,
            isOtherChanging,
            ...(this.#fetchProblem !== undefined && { fetchProblem: this.#fetchProblem }),
        };
        const before = this.#journal;
        const decision = decideContainerRuntime(before, sight, this.#memory, performance.now() / 1000, limits);
        this.#memory = decision.memory;
        if (JSON.stringify(decision.journal) !== JSON.stringify(before)) {
            // Of the change that begins nothing is known yet.
            if (before.phase === "idle") this.runtimes.forget();
            this.#file.write(decision.journal);
            this.#journal = decision.journal;
        }
        if (before.phase === "changing" && !this.isBegun) this.runtimes.clear([before.from.id, before.to.id]);
        return decision;
    }

    /** What lasted before does not last any more. */
    interrupt(): void {
        this.#memory = undefined;
    }

    /** What failed is told by the next look. */
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
