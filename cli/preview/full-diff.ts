import { differences, textOf } from "./differences";
import type { Operation, Preview, Step } from "./model";

const signs: Readonly<Record<Operation, string>> = { create: "+", update: "~", replace: "+-", delete: "-", same: " " };

/** Maximum lines of a newly created value, such as an agent's program. */
const mostLinesOfNew = 12;

/** All changes as lines that GitHub colors: added ones after `+`, removed ones after `-`. */
export function fullDiff({ steps }: Preview): string[] {
    const order = ({ type, name }: Step) => `${type} ${name}`;
    // Pulumi's own order varies between runs.
    const sorted = steps.filter(isChanged).sort((a, b) => (order(a) < order(b) ? -1 : 1));
    return sorted.flatMap(diffOf);
}

/** Number of changed resources, excluding providers and components. */
export function changeCount({ steps }: Preview): number {
    return steps.filter(isChanged).length;
}

function isChanged({ operation, type }: Step): boolean {
    return operation !== "same" && !isGroup(type);
}

/** Stacks, components and default providers. */
export function isGroup(type: string): boolean {
    return /^(pulumi|tradewind):/.test(type);
}

function diffOf(step: Step): string[] {
    const { operation, type, name, replaces } = step;
    const why = operation === "replace" && replaces.length > 0 ? `, because of ${replaces.join(", ")}` : "";
    const heading = `@@ ${signs[operation]} ${type} ${name}${why} @@`;
    if (operation === "delete") return [heading];
    if (operation === "create") return [heading, ...created(step)];
    const body = differences(step.old ?? {}, step.new ?? {}, step.changed);
    return [
        heading,
        ...body.flatMap(({ path, lines }) => [` ${path}:`, ...lines.map((line) => `${line[0]}   ${line.slice(1)}`)]),
    ];
}

/** Inputs of new resources; the many objects in the cluster are listed by name only. */
function created({ type, new: values = {} }: Step): string[] {
    if (type.startsWith("kubernetes:") || type.startsWith("tls:")) return [];
    return Object.entries(values).flatMap(([key, value]) => {
        const lines = textOf(value).split("\n");
        const shown = lines.slice(0, mostLinesOfNew);
        const more = lines.length - shown.length;
        const [first, ...rest] = more > 0 ? [...shown, `… ${more} more lines`] : shown;
        return [`+   ${key}: ${first}`, ...rest.map((line) => `+     ${line}`)];
    });
}
