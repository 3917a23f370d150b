import { invalidOption, UsageError } from "../usage-error";
import type { EngineState, EngineStep, Told } from "./events";

type Json = Readonly<Record<string, unknown>>;

/**
 * What the engine said: its events, one a line (`--event-log`, or `--json` as a stream), or the one document that
 * `pulumi preview --json` prints.
 */
export function readEvents(text: string, file: string): Told {
    const whole = parsed(text);
    if (whole && "changeSummary" in whole) return ofDocument(whole, file);
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    const events = lines.flatMap((line): Json[] => [parsed(line) ?? []].flat() as Json[]);
    if (events.length === 0 || !events.some(isEvent)) {
        throw new UsageError(`--events must be what pulumi preview --json or --event-log wrote, got ${file}`);
    }
    return ofEvents(events);
}

export function ofEvents(events: readonly Json[]): Told {
    const all = <T>(kind: string) => events.flatMap((event) => (event[kind] ? [event[kind] as T] : []));
    return {
        steps: all<{ metadata: EngineStep }>("resourcePreEvent").map(({ metadata }) => metadata),
        diagnostics: all("diagnosticEvent"),
        isComplete: all("summaryEvent").length > 0,
    };
}

const kinds = ["preludeEvent", "resourcePreEvent", "diagnosticEvent", "summaryEvent", "cancelEvent"];

function isEvent(event: Json): boolean {
    return kinds.some((kind) => kind in event);
}

interface DocumentStep extends EngineStep {
    readonly oldState?: EngineState;
    readonly newState?: EngineState;
    readonly diffReasons?: readonly string[];
    readonly replaceReasons?: readonly string[];
}

function ofDocument({ steps, diagnostics, changeSummary }: Json, file: string): Told {
    const all = (steps ?? []) as DocumentStep[];
    const { same = 0 } = (changeSummary ?? {}) as { same?: number };
    if (all.filter(({ op }) => op === "same").length < same) {
        // Without them nobody knows how many controllers there are.
        throw invalidOption("--events", "of a preview with --show-sames, or its --event-log", file);
    }
    return {
        steps: all.map((step) => ({
            ...step,
            old: step.oldState,
            new: step.newState,
            diffs: step.diffReasons,
            keys: step.replaceReasons,
        })),
        diagnostics: (diagnostics ?? []) as Told["diagnostics"],
        isComplete: changeSummary !== undefined,
    };
}

function parsed(text: string): Json | undefined {
    try {
        const value = JSON.parse(text);
        return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
    } catch {
        return undefined;
    }
}
