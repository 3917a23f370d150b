import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ClusterState } from "../state";
import { runOfEvents } from "./events";
import { writeRun } from "./record";

/** Has an `up` of the CLI write down what it does, and makes a run of the timeline of it. */
export class EventLog {
    readonly #path: string;
    readonly #timeline: string;

    constructor({ dir, timeline }: ClusterState) {
        this.#path = join(dir, "events.jsonl");
        this.#timeline = timeline;
    }

    /** The CLI's arguments with the log; as they are if it is no `up`, or has a log already. */
    argumentsWith(args: readonly string[]): string[] {
        const isUp = ["up", "update"].includes(args[0] ?? "") && !args.some((arg) => arg.startsWith("--event-log"));
        return isUp ? [args[0]!, "--event-log", this.#path, ...args.slice(1)] : [...args];
    }

    /** Keeps what changed something. That it cannot be kept is no reason for an `up` to fail. */
    keep(): void {
        try {
            const run = runOfEvents(readFileSync(this.#path, "utf8"));
            if (run) writeRun(this.#timeline, run);
        } catch {
            return;
        } finally {
            rmSync(this.#path, { force: true });
        }
    }
}
