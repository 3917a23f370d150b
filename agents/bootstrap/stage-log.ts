import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { StepName } from "./step-names";

/** A line of `stages.jsonl`. */
export interface StageEvent {
    /** ISO 8601, UTC. */
    readonly time: string;
    readonly step: StepName;
    /** `start` is on disk before the step acts; `retry` tells what a step is waiting for. */
    readonly event: "start" | "done" | "retry" | "failed";
    /** Since the step's start. */
    readonly seconds?: number;
    readonly message?: string;
}

/** The bootstrap's progress, for those who watch: `stages.jsonl` and standard output. */
export class StageLog {
    readonly #path: string;
    readonly #print: (line: string) => void;

    constructor(stateDirectory: string, print: (line: string) => void = console.log) {
        this.#path = join(stateDirectory, "stages.jsonl");
        this.#print = print;
    }

    write(event: Omit<StageEvent, "time">): void {
        append(this.#path, JSON.stringify({ time: new Date().toISOString(), ...event }));
        if (event.event !== "start") {
            this.#print(readable(event));
        }
    }
}

function readable({ step, event, seconds = 0, message = "" }: Omit<StageEvent, "time">): string {
    return `${step}: ${event === "failed" ? "failed: " : ""}${message} (${seconds.toFixed(1)}s)`;
}

function append(path: string, line: string): void {
    // A power cut may have left half a line: it must not swallow this one.
    const isTorn = existsSync(path) && !/(^|\n)$/.test(readFileSync(path, "utf8"));
    const descriptor = openSync(path, "a", 0o644);
    try {
        writeSync(descriptor, `${isTorn ? "\n" : ""}${line}\n`);
        fsyncSync(descriptor);
    } finally {
        closeSync(descriptor);
    }
}
