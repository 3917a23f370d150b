import { resolve } from "node:path";

type Json = Record<string, unknown>;

/** Longer texts are programs of agents and the like, which are irrelevant to tests. */
const longest = 1000;

/** Of unchanged resources, only machines and their disks: consequences of other changes depend on them. */
const needed = /Command|Instance|Droplet|olume/;

/** Commands as in the state, relative to a stack's folder. */
const checkout = new RegExp(`(?:(?:\\.\\./)+|/)${resolve(__dirname, "../../..").slice(1)}`, "g");

/** The reason why a dry-run cluster is unreachable depends on the host: its address may exist there. */
const whyUnasked = /(was not checked: ).*?(; see)/;
const unreached = "getaddrinfo ENOTFOUND api.test.example.com";

/** The parts of the engine's events that a comment is made from: 4 MB shrink to some 100 kB. */
export function slimmed(events: string): string {
    const lines = events.trim().split("\n");
    return lines
        .map((line) => JSON.parse(line) as Json)
        .flatMap((event): Json[] => {
            const { resourcePreEvent, diagnosticEvent, summaryEvent } = event as Record<string, Json | undefined>;
            if (resourcePreEvent) {
                const { op, type } = resourcePreEvent.metadata as Json;
                if (op === "same" && !needed.test(String(type))) return [];
                return [{ resourcePreEvent: { metadata: slimStep(resourcePreEvent.metadata as Json) } }];
            }
            if (diagnosticEvent) {
                const { severity, message } = diagnosticEvent;
                // A plugin's path depends on the host.
                const isLeftOut = severity === "debug" || String(message).includes("using pulumi-resource");
                const said = { ...diagnosticEvent, message: String(message).replace(whyUnasked, `$1${unreached}$2`) };
                return isLeftOut ? [] : [{ diagnosticEvent: said }];
            }
            return summaryEvent ? [{ summaryEvent }] : [];
        })
        .map((event) => `${JSON.stringify(event)}\n`)
        .join("");
}

/** The final output of a preview that fails. How far it got differs in every run. */
export function shownDiagnostics(output: string): string {
    const [, diagnostics = ""] = /^(Diagnostics:\n.*?)\n*^(?:Outputs|Resources):/ms.exec(output) ?? [];
    const lines = diagnostics.split("\n").slice(1);
    const kept = lines.filter((line) => !line.includes("using pulumi-resource"));
    // Those of each resource, in a stable order.
    const parts = kept
        .map((line) => line.replace(whyUnasked, `$1${unreached}$2`).trimEnd())
        .join("\n")
        .split("\n\n");
    return `Diagnostics:\n${parts.sort().join("\n\n")}\n`;
}

function slimStep({ op, urn, diffs, keys, detailedDiff, old, new: coming }: Json): Json {
    const state = (value: unknown) => {
        if (!value) return value;
        const { parent, inputs } = value as Json;
        return { parent, inputs: shortened(inputs) };
    };
    return { op, urn, diffs, keys, detailedDiff, old: state(old), new: state(coming) };
}

function shortened(value: unknown): unknown {
    if (typeof value === "string") {
        return value.length > longest ? `(${value.length} characters)` : value.replaceAll(checkout, ".");
    }
    if (Array.isArray(value)) return value.map(shortened);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shortened(each)]));
}
