import { diffable, parse } from "../../../../ignition";
import type { Deployed } from "../../deploy";
import { stable } from "./resource-graph";

/**
 * Changes that other options make to a cloud's resources and to those in the cluster, as reviewable text: a line for
 * each value that is removed (`-`) or added (`+`), and for each line of a node's config.
 */
export function resourceChanges(before: readonly Deployed[], after: readonly Deployed[], cloud: string): string {
    const [old, now] = [before, after].map((resources) => linesByResource(resources, cloud)) as [Lines, Lines];
    return [...new Set([...old.keys(), ...now.keys()])]
        .sort()
        .map((resource) => {
            const [gone, come] = [old.get(resource) ?? [], now.get(resource) ?? []];
            return [
                resource,
                ...without(gone, come).map((line) => `  - ${line}`),
                ...without(come, gone).map((line) => `  + ${line}`),
            ];
        })
        .filter(({ length }) => length > 1)
        .map((lines) => `${lines.join("\n")}\n`)
        .join("");
}

type Lines = Map<string, string[]>;

function linesByResource(resources: readonly Deployed[], cloud: string): Lines {
    const lines: Lines = new Map();
    for (const { type, name, inputs, secretInputs } of resources) {
        if (!type.startsWith(`${cloud}:`) && !type.startsWith("kubernetes:")) continue;
        // Several whose names differ only in a hash are merged.
        const resource = stable(`${type.split(":").at(-1)} ${name}`);
        const own = Object.entries(inputs).flatMap(([input, value]) => {
            if (isConfig(value)) return leaves(input, diffable(parse(value)));
            return leaves(input, secretInputs.includes(input) ? hidden(value) : value);
        });
        lines.set(resource, [...(lines.get(resource) ?? []), ...own]);
    }
    return lines;
}

function isConfig(value: unknown): value is string {
    return typeof value === "string" && value.startsWith('{"ignition":');
}

/** Keys of a secret, without values. */
function hidden(value: unknown): unknown {
    if (value === null || typeof value !== "object") return "[secret]";
    return Object.fromEntries(Object.keys(value).map((key) => [key, "[secret]"]));
}

/** `spec.containers.args: --v=1`: without list indexes, which depend on earlier items. */
function leaves(path: string, value: unknown): string[] {
    if (Array.isArray(value)) return value.flatMap((each) => leaves(path, each));
    if (value !== null && typeof value === "object") {
        return Object.entries(value).flatMap(([key, each]) => leaves(`${path}.${key}`, each));
    }
    return stable(value)
        .trimEnd()
        .split("\n")
        .map((line) => `${path}: ${line.trim()}`);
}

/** Lines of one that another lacks, as often as it lacks them. */
function without(lines: readonly string[], others: readonly string[]): string[] {
    const left = [...others];
    return lines.filter((line) => {
        const index = left.indexOf(line);
        if (index >= 0) left.splice(index, 1);
        return index < 0;
    });
}
