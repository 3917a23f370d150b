import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Run, writeRun } from "../local/record";
import type { ClusterState } from "../local/state";
import { type Operation, stepOf, type TimedStage } from "../local/up-output";

/** The used parts of Pulumi's `--event-log`. */
interface EngineEvent {
    /** Whole seconds since 1970. */
    readonly timestamp: number;
    readonly resourcePreEvent?: ResourceEvent;
    readonly resOutputsEvent?: ResourceEvent;
    readonly diagnosticEvent?: { readonly urn?: string; readonly message?: string };
}

interface ResourceEvent {
    readonly metadata: { readonly op: string; readonly urn: string; readonly type: string };
    /** Whether this is a preview. */
    readonly planning?: boolean;
}

const STAGE = "pulumi up";

/** Operations as `pulumi up` prints them. Others change nothing. */
const VERBS: Readonly<Record<string, string>> = {
    create: "created",
    update: "updated",
    delete: "deleted",
    "create-replacement": "created replacement",
    "delete-replaced": "deleted original",
};

/** A run of `pulumi up` from its event log; undefined if it changed nothing. @param text - one JSON object per line */
export function runOfEvents(text: string): Run | undefined {
    const events = text.split("\n").flatMap(parsed);
    const began = new Map<string, number>();
    const operations = events.flatMap(({ timestamp, resourcePreEvent, resOutputsEvent }): Operation[] => {
        const begin = resourcePreEvent && !resourcePreEvent.planning ? keyOf(resourcePreEvent) : undefined;
        if (begin !== undefined) began.set(begin, timestamp);
        const start = resOutputsEvent && began.get(keyOf(resOutputsEvent));
        const verb = resOutputsEvent && VERBS[resOutputsEvent.metadata.op];
        const { type, urn } = resOutputsEvent?.metadata ?? { type: "", urn: "" };
        // Resources of Pulumi itself and components are not shown.
        if (start === undefined || verb === undefined || /^(pulumi|tradewind):/.test(type)) return [];
        const [name, kind] = [nameOf(urn), type.slice(type.lastIndexOf(":") + 1)];
        return [{ name, kind, verb, at: moment(start), seconds: timestamp - start }];
    });
    if (operations.length === 0) return undefined;
    const [first, last] = [events[0]!.timestamp, events.at(-1)!.timestamp];
    const steps = stepsOf(events);
    const stages = [{ stage: STAGE, at: moment(first), seconds: last - first }];
    return { stages, parts: steps.length > 0 ? { [STAGE]: steps } : {}, operations, nodes: [] };
}

/** Steps of the bootstrap, logged when each ends: Pulumi reports each line twice, immediately and at the end. */
function stepsOf(events: readonly EngineEvent[]): TimedStage[] {
    const steps = new Map<string, TimedStage>();
    for (const { timestamp, diagnosticEvent } of events) {
        for (const line of diagnosticEvent?.message?.split("\n") ?? []) {
            const step = stepOf(line.replace(/<\{%.*?%\}>/g, ""));
            if (step && !steps.has(step.stage)) {
                steps.set(step.stage, { ...step, at: moment(timestamp - step.seconds) });
            }
        }
    }
    return [...steps.values()];
}

function nameOf(urn: string): string {
    return urn.slice(urn.lastIndexOf("::") + 2);
}

function keyOf({ metadata: { op, urn } }: ResourceEvent): string {
    return `${op} ${urn}`;
}

function moment(seconds: number): string {
    return new Date(1000 * seconds).toISOString();
}

/** Skips a line truncated when the run was killed. */
function parsed(line: string): EngineEvent[] {
    try {
        const event: EngineEvent = JSON.parse(line);
        return typeof event.timestamp === "number" ? [event] : [];
    } catch {
        return [];
    }
}

/** Records an `up` of the CLI as a run, like those of `npm start`. */
export class EventLog {
    readonly #path: string;
    readonly #timeline: string;

    constructor({ dir, timeline }: ClusterState) {
        this.#path = join(dir, "events.jsonl");
        this.#timeline = timeline;
    }

    /** Adds the log to the CLI's arguments, unless it is no `up` or has a log already. */
    argumentsWith(args: readonly string[]): string[] {
        const isUp = ["up", "update"].includes(args[0] ?? "") && !args.some((arg) => arg.startsWith("--event-log"));
        return isUp ? [args[0]!, "--event-log", this.#path, ...args.slice(1)] : [...args];
    }

    /** Keeps a log that contains changes. Failing to do so must not fail the `up`. */
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
