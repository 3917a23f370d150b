import * as v from "valibot";
import { byName, list, object, text } from "../../agents/harness/plan";

const number = v.number("a number");

const outcome = object({
    /** Kinds in versions of their API that it does not serve, such as `Widget of example.com/v1`, with objects. */
    unserved: list(object({ kind: text(), objects: number })),
    /** Kinds that it cannot read, with the error. */
    unreadable: list(object({ kind: text(), error: v.string("a text") })),
    /** Objects that it no longer has. */
    missing: list(text()),
    /** Fields with another value, with the number of objects by kind. */
    changed: list(object({ kind: text(), path: v.string("a text"), objects: number })),
    compared: number,
});

/** What another version of kube-apiserver makes of the objects. */
export type Outcome = v.InferOutput<typeof outcome>;

export const reportSchema = object({
    cluster: text(),
    /** Versions of Kubernetes. */
    from: text("a version"),
    to: text("a version"),
    snapshot: object({ name: text(), bytes: number, time: v.optional(text("a time")) }),
    /** Seconds until each kube-apiserver served. */
    startSeconds: byName(number),
    /** Kinds that could not be listed before, with the reason. */
    leftOut: byName(v.string("a text")),
    upgrade: outcome,
    /** The earlier version's view afterwards. */
    wayBack: outcome,
    seconds: number,
});

/** The result of a rehearsal: names, kinds and paths, but no values, which may be secret. */
export type RehearsalReport = v.InferOutput<typeof reportSchema>;

/** Whether an upgrade loses nothing. */
export function isKept({ unserved, unreadable, missing }: Outcome): boolean {
    return unserved.length === 0 && unreadable.length === 0 && missing.length === 0;
}

/** Whether the upgrade loses nothing, and the way back neither. */
export function isGood({ upgrade, wayBack }: RehearsalReport): boolean {
    return isKept(upgrade) && isKept(wayBack);
}

/** Lines of a list before the rest is only counted. */
const shownLines = 20;

/** The report as Markdown, for a pull request. */
export function renderRehearsal(report: RehearsalReport): string {
    const { cluster, from, to, snapshot, startSeconds, leftOut, upgrade, wayBack, seconds } = report;
    const starts = Object.entries(startSeconds).map(([title, each]) => `${title}: ${each.toFixed(1)} s`);
    const when = snapshot.time === undefined ? "" : ` of ${snapshot.time}`;
    return [
        `### Rehearsal: ${cluster} from Kubernetes ${from} to ${to}`,
        "",
        `${isGood(report) ? "✅" : "❌"} ${verdictOf(report)}`,
        "",
        `The snapshot ${snapshot.name}${when} (${snapshot.bytes} bytes) was upgraded as a copy, without controllers and nodes, in ${Math.round(seconds)} s. kube-apiserver served after: ${starts.join(", ")}.`,
        ...section(
            "Kinds that are no longer served",
            upgrade.unserved.map(({ kind, objects }) => `${kind}: ${objects} objects`),
        ),
        ...section(
            "Kinds that cannot be read",
            upgrade.unreadable.map(({ kind, error }) => `${kind}: ${error}`),
        ),
        ...section("Objects that are missing", upgrade.missing),
        ...section("Fields that change", changes(upgrade)),
        ...section(`After going back to ${from}`, [
            ...wayBack.unreadable.map(({ kind, error }) => `cannot be read: ${kind}: ${error}`),
            ...wayBack.missing.map((each) => `missing: ${each}`),
            ...changes(wayBack).map((each) => `changed: ${each}`),
        ]),
        ...section(
            "Not compared",
            Object.entries(leftOut).map(([what, why]) => `${what}: ${why}`),
        ),
        "",
    ].join("\n");
}

/** In a sentence. */
export function verdictOf(report: RehearsalReport): string {
    const { upgrade, wayBack, from, to } = report;
    if (isGood(report)) {
        return `Kubernetes ${to} reads all ${upgrade.compared} objects, and Kubernetes ${from} reads them again afterwards.`;
    }
    const lost = isKept(upgrade) ? [] : [`Kubernetes ${to} does not have every object`];
    return `${[...lost, ...(isKept(wayBack) ? [] : [`Kubernetes ${from} does not have every object afterwards`])].join("; ")}.`;
}

function changes({ changed }: Outcome): string[] {
    return changed.map(({ kind, path, objects }) => `${kind}: \`${path}\` of ${objects}`);
}

function section(title: string, lines: readonly string[]): string[] {
    if (lines.length === 0) return [];
    const rest = lines.length - shownLines;
    return [
        "",
        `**${title}**`,
        "",
        ...lines.slice(0, shownLines).map((line) => `- ${line}`),
        ...(rest > 0 ? [`- and ${rest} more`] : []),
    ];
}
