import { invalidOption, UsageError } from "../../command-line/parse";
import { withoutByteOrderMark } from "../../ignition/byte-order-mark";
import { plain } from "./differences";
import type { Diagnostic, Operation, Preview, Step, Values } from "./model";

/** A resource's state, as reported by Pulumi. */
interface EngineState {
    readonly parent?: string;
    readonly inputs?: Record<string, unknown>;
}

/** A planned step for a resource. */
export interface EngineStep {
    readonly op: string;
    readonly urn: string;
    readonly old?: EngineState | null;
    readonly new?: EngineState | null;
    readonly diffs?: readonly string[] | null;
    readonly keys?: readonly string[] | null;
    readonly detailedDiff?: Readonly<Record<string, { readonly diffKind?: string; readonly kind?: string }>> | null;
}

interface EngineDiagnostic {
    readonly urn?: string;
    readonly message?: string;
    readonly severity?: string;
    readonly ephemeral?: boolean;
}

/** Pulumi's events, in order. */
export interface EngineEvents {
    readonly steps: readonly EngineStep[];
    readonly diagnostics: readonly EngineDiagnostic[];
    readonly isComplete: boolean;
}

/** Turns Pulumi's steps into a preview. @param stack - its name, if no step contains it */
export function previewOf({ steps, diagnostics, isComplete }: EngineEvents, stack = ""): Preview {
    const [first] = steps;
    const { project, stack: stackName } = first ? partsOf(first.urn) : { project: "", stack };
    return {
        project,
        stack: stackName,
        steps: merged(steps),
        diagnostics: once(diagnostics.filter(({ ephemeral }) => !ephemeral).flatMap(readDiagnostic)),
        isComplete,
    };
}

/** The parts of `urn:pulumi:<stack>::<project>::<types>::<name>`. */
export function partsOf(urn: string): { stack: string; project: string; type: string; name: string } {
    const [head = "", project = "", types = "", ...name] = urn.split("::");
    return {
        stack: head.slice(head.lastIndexOf(":") + 1),
        project,
        type: types.slice(types.lastIndexOf("$") + 1),
        name: name.join("::"),
    };
}

const operations: Readonly<Record<string, Operation>> = {
    create: "create",
    update: "update",
    delete: "delete",
    same: "same",
    replace: "replace",
    "create-replacement": "replace",
    "delete-replaced": "replace",
    import: "create",
    "import-replacement": "replace",
};

/** Merges the steps of a resource into one: Pulumi replaces a resource in three steps. */
function merged(steps: readonly EngineStep[]): Step[] {
    const byUrn = new Map<string, EngineStep[]>();
    for (const step of steps) {
        if (operations[step.op]) byUrn.set(step.urn, [...(byUrn.get(step.urn) ?? []), step]);
    }
    return [...byUrn].map(([urn, all]) => {
        const isReplaced = all.some(({ op }) => operations[op] === "replace");
        const main = all.find(({ op }) => op === "replace" || op === "create-replacement") ?? all[0]!;
        const { type, name } = partsOf(urn);
        const at = (op: string) => all.findIndex((each) => each.op === op);
        return {
            operation: isReplaced ? "replace" : operations[main.op]!,
            urn,
            type,
            name,
            ...inputs("old", main.op === "create" ? undefined : main.old),
            ...inputs("new", main.op === "delete" ? undefined : main.new),
            ...parentOf(main),
            changed: Object.keys(main.detailedDiff ?? {}).length
                ? Object.keys(main.detailedDiff!)
                : [...(main.diffs ?? main.keys ?? [])],
            replaces: replacing(main),
            isDeletedFirst: at("delete-replaced") >= 0 && at("delete-replaced") < at("create-replacement"),
        };
    });
}

function inputs(which: "old" | "new", state: EngineState | null | undefined): { old?: Values; new?: Values } {
    return state ? { [which]: plain(state.inputs ?? {}) as Values } : {};
}

function parentOf({ old, new: coming }: EngineStep): { parent?: string } {
    const parent = coming?.parent || old?.parent;
    return parent ? { parent } : {};
}

function replacing({ detailedDiff, keys }: EngineStep): string[] {
    const paths = Object.entries(detailedDiff ?? {})
        .filter(([, { diffKind, kind }]) => (diffKind ?? kind)?.endsWith("-replace"))
        .map(([path]) => path);
    return paths.length > 0 ? paths : [...(keys ?? [])];
}

function readDiagnostic({ urn, message = "", severity = "" }: EngineDiagnostic): Diagnostic[] {
    if (severity !== "info" && severity !== "warning" && severity !== "error") return [];
    // Color markers.
    const text = message
        .replaceAll(/<\{%[^%]*%\}>/g, "")
        .trim()
        .replace(/^(warning|error): /, "");
    const name = urn ? partsOf(urn).name : "";
    // The location of a plugin is irrelevant to the change.
    const isNoise = text.startsWith("using pulumi-");
    return text && !isNoise ? [{ severity, message: text, ...(name && { resource: name }) }] : [];
}

/** Removes duplicates: Pulumi repeats some. */
function once(diagnostics: readonly Diagnostic[]): Diagnostic[] {
    return [...new Map(diagnostics.map((each) => [JSON.stringify(each), each])).values()];
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Parses Pulumi's events, one per line (`--event-log`, or `--json` as a stream), or the single document printed by
 * `pulumi preview --json`.
 */
export function readEvents(contents: string, file: string): EngineEvents {
    const text = withoutByteOrderMark(contents);
    const whole = parsed(text);
    if (whole && "changeSummary" in whole) return ofDocument(whole, file);
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    const events = lines.flatMap((line): Json[] => [parsed(line) ?? []].flat() as Json[]);
    if (events.length === 0 || !events.some(isEvent)) {
        throw new UsageError(`--events must be the output of pulumi preview --json or --event-log (got ${file})`);
    }
    return ofEvents(events);
}

export function ofEvents(events: readonly Json[]): EngineEvents {
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

function ofDocument({ steps, diagnostics, changeSummary }: Json, file: string): EngineEvents {
    const all = (steps ?? []) as DocumentStep[];
    const { same = 0 } = (changeSummary ?? {}) as { same?: number };
    if (all.filter(({ op }) => op === "same").length < same) {
        // Without unchanged resources, the number of controllers is unknown.
        throw invalidOption("--events", "the output of a preview with --show-sames, or its --event-log", file);
    }
    return {
        steps: all.map((step) => ({
            ...step,
            old: step.oldState,
            new: step.newState,
            diffs: step.diffReasons,
            keys: step.replaceReasons,
        })),
        diagnostics: (diagnostics ?? []) as EngineEvents["diagnostics"],
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
