import { describeError } from "../../../clients/kubernetes/api-error";
import { writeDurably } from "../../harness/durable";
import { jsonWith, readState } from "../../harness/state-file";

/** How long observations have held, as far as known: seconds. */
export interface Memory {
    /** What is being counted. */
    readonly about: string;
    readonly observed: number;
    readonly silent: number;
    readonly settled: number;
    readonly last: number;
}

/** An observation at one moment. */
export interface Moment {
    readonly about: string;
    /** Whether the node's state is known. */
    readonly isKnown: boolean;
    /** Whether it is in the desired state. */
    readonly isWell: boolean;
    /** Seconds. */
    readonly now: number;
}

/**
 * Adds a moment to the counts, or restarts them for another subject. Unknown states count for nothing and reset
 * nothing.
 */
export function counted(before: Memory | undefined, { about, isKnown, isWell, now }: Moment): Memory {
    const { observed, silent, settled, last } =
        before?.about === about ? before : { observed: 0, silent: 0, settled: 0, last: before?.last ?? now };
    const passed = now - last;
    if (!isKnown) {
        return { about, observed, silent: silent + passed, settled, last: now };
    }
    return { about, observed: observed + passed, silent, settled: isWell ? settled + passed : 0, last: now };
}

/** Progress that a pure decider decides: a journal on the disk, and how long observations have held. */
export class Progress<Journal extends { readonly phase: string; readonly reason?: string }, Tool> {
    #journal: Journal;
    #memory?: Memory;

    /**
     * @param path - of the journal
     * @param tool - what it acts with
     */
    constructor(
        private readonly path: string,
        protected readonly tool: Tool,
        protected readonly log: (line: string) => void,
    ) {
        // Without it, the node's state alone decides what is left to do.
        this.#journal = readState(path, jsonWith<Journal>("phase"), log) ?? ({ phase: "idle" } as Journal);
    }

    protected get journal(): Journal {
        return this.#journal;
    }

    /** Whether it is in progress or has failed. */
    get isBegun(): boolean {
        return this.#journal.phase !== "idle";
    }

    /** Why it failed, if it did. */
    get failure(): string | undefined {
        return this.#journal.phase === "failed" ? this.#journal.reason : undefined;
    }

    /** Resets how long observations have lasted. */
    interrupt(): void {
        this.#memory = undefined;
    }

    /** Decides the next actions and writes the journal. */
    protected advance<Decision extends { readonly journal: Journal; readonly memory?: Memory }>(
        decide: (journal: Journal, before: Memory | undefined, now: number) => Decision,
    ): Decision {
        const decision = decide(this.#journal, this.#memory, performance.now() / 1000);
        this.#memory = decision.memory;
        this.write(decision.journal);
        return decision;
    }

    /** It is intact after a power failure at any time. */
    protected write(journal: Journal): void {
        if (JSON.stringify(journal) === JSON.stringify(this.#journal)) return;
        writeDurably(this.path, `${JSON.stringify(journal, null, 2)}\n`);
        this.#journal = journal;
    }
}

/** Milliseconds before a failed attempt is repeated. */
const againMilliseconds = 15_000;

/** Attempts of something that may fail, with pauses. The next reconcile reports the problem. */
export class Attempts {
    #problem?: string;
    #failedAt = Number.NEGATIVE_INFINITY;

    get isPaused(): boolean {
        return performance.now() - this.#failedAt < againMilliseconds;
    }

    /** Part of an observation. */
    get observed(): { readonly fetchProblem?: string } {
        return this.#problem === undefined ? {} : { fetchProblem: this.#problem };
    }

    pause(): void {
        this.#failedAt = performance.now();
    }

    /** @returns why it failed, if it did */
    async try(work: () => Promise<void>): Promise<string | undefined> {
        this.#problem = await work().then(() => undefined, describeError);
        if (this.#problem !== undefined) this.pause();
        return this.#problem;
    }
}
