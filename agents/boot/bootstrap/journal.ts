import { existsSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "../../harness/durable";
import { jsonObject, readState } from "../../harness/state-file";
import type { BootstrapPlan, StepName } from "./plan";

/** Entry of `journal.json` for a step. Times are ISO 8601, UTC. */
interface StepRecord {
    readonly startedAt: string;
    readonly finishedAt?: string;
    /** Duration of the run that finished. */
    readonly seconds?: number;
    /** How often it was started. */
    readonly starts: number;
}

type Records = Partial<Record<StepName, StepRecord>>;

/**
 * Which steps were started and finished, over all runs of the agent.
 *
 * It shows a new run what an old one was doing. Each step checks the actual state itself: a power cut may have undone
 * what was done.
 */
export class Journal {
    readonly #path: string;
    #records: Records;

    constructor(stateDirectory: string) {
        this.#path = join(stateDirectory, "journal.json");
        // Without it, every step checks for itself what is left to do.
        this.#records = readState(this.#path, recordsIn) ?? {};
    }

    start(step: StepName): void {
        const starts = (this.#records[step]?.starts ?? 0) + 1;
        this.#write(step, { startedAt: new Date().toISOString(), starts });
    }

    finish(step: StepName, seconds: number): void {
        const record = this.#records[step] ?? { startedAt: new Date().toISOString(), starts: 1 };
        this.#write(step, { ...record, finishedAt: new Date().toISOString(), seconds });
    }

    wasStarted(step: StepName): boolean {
        return this.#records[step] !== undefined;
    }

    /** Whether the step was finished and has not been started again since. */
    wasFinished(step: StepName): boolean {
        return this.#records[step]?.finishedAt !== undefined;
    }

    /** Seconds that each finished step took. */
    durations(): Record<string, number> {
        const finished = Object.entries(this.#records).filter(([, { seconds }]) => seconds !== undefined);
        return Object.fromEntries(finished.map(([step, { seconds = 0 }]) => [step, Math.round(seconds * 1000) / 1000]));
    }

    #write(step: StepName, record: StepRecord): void {
        this.#records = { ...this.#records, [step]: record };
        writeDurably(this.#path, `${JSON.stringify({ steps: this.#records }, null, 2)}\n`, { mode: 0o644 });
    }
}

function recordsIn(text: string): Records {
    const { steps } = jsonObject<{ readonly steps?: Records }>(text);
    if (typeof steps !== "object" || steps === null) throw new Error("it must have the field steps");
    return steps;
}

/** Whether this disk has the stamp of a finished bootstrap. */
export function hasStamp(plan: BootstrapPlan): boolean {
    return existsSync(stampPath(plan));
}

export function writeStamp(plan: BootstrapPlan, content: { readonly pivotedAt: string }): void {
    writeDurably(stampPath(plan), `${JSON.stringify({ cluster: plan.clusterName, ...content })}\n`, { mode: 0o644 });
}

function stampPath({ directories }: BootstrapPlan): string {
    return join(directories.state, "pivoted");
}
