import type { Operation } from "../up-output";
import type { Run } from "./record";

/** What Pulumi writes with `--event-log`, as much of it as is read. */
interface EngineEvent {
    /** Whole seconds since 1970. */
    readonly timestamp: number;
    readonly resourcePreEvent?: ResourceEvent;
    readonly resOutputsEvent?: ResourceEvent;
}

interface ResourceEvent {
    readonly metadata: { readonly op: string; readonly urn: string; readonly type: string };
    /** Whether this is a preview. */
    readonly planning?: boolean;
}

/** As `pulumi up` has them in its lines. What is not here changes nothing. */
const VERBS: Readonly<Record<string, string>> = {
    create: "created",
    update: "updated",
    delete: "deleted",
    "create-replacement": "created replacement",
    "delete-replaced": "deleted original",
};

/** A run of `pulumi up` by its event log. Nothing if it changed nothing. @param text - a JSON object a line */
export function runOfEvents(text: string): Run | undefined {
    const events = text.split("\n").flatMap(parsed);
    const began = new Map<string, number>();
    const operations = events.flatMap(({ timestamp, resourcePreEvent, resOutputsEvent }): Operation[] => {
        const begin = resourcePreEvent && !resourcePreEvent.planning ? keyOf(resourcePreEvent) : undefined;
        if (begin !== undefined) began.set(begin, timestamp);
        const start = resOutputsEvent && began.get(keyOf(resOutputsEvent));
        const verb = resOutputsEvent && VERBS[resOutputsEvent.metadata.op];
        const { type, urn } = resOutputsEvent?.metadata ?? { type: "", urn: "" };
        // Those of the engine and components are of no interest by themselves.
        if (start === undefined || verb === undefined || /^(pulumi|tradewind):/.test(type)) return [];
        const [name, kind] = [urn.slice(urn.lastIndexOf("::") + 2), type.slice(type.lastIndexOf(":") + 1)];
        return [{ name, kind, verb, at: moment(start), seconds: timestamp - start }];
    });
    if (operations.length === 0) return undefined;
    const [first, last] = [events[0]!.timestamp, events.at(-1)!.timestamp];
    const stages = [{ stage: "pulumi up", at: moment(first), seconds: last - first }];
    return { stages, parts: {}, operations, nodes: [] };
}

function keyOf({ metadata: { op, urn } }: ResourceEvent): string {
    return `${op} ${urn}`;
}

function moment(seconds: number): string {
    return new Date(1000 * seconds).toISOString();
}

/** A line that a killed run left half is none. */
function parsed(line: string): EngineEvent[] {
    try {
        const event: EngineEvent = JSON.parse(line);
        return typeof event.timestamp === "number" ? [event] : [];
    } catch {
        return [];
    }
}
