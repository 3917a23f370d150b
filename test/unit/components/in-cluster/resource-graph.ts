import { diffArrays } from "diff";
import type { Deployed } from "../../deploy";

/**
 * A cloud's resources as reviewable text: inputs, dependencies, ignored changes, order of replacement, retention.
 *
 * Without informational tags (those with values; firewalls use plain ones), and without nodes' configs, which have
 * their own golden files.
 */
export function resourceGraph(resources: readonly Deployed[], cloud: string): string {
    return blocks(resources, cloud).map(whole).join("");
}

/**
 * How a cloud's resources differ from those of other options, as reviewable text: resources it lacks (`without`),
 * additional ones (`with`), and for others each line that is removed (`-`) or added (`+`).
 */
export function graphChanges(base: readonly Deployed[], changed: readonly Deployed[], cloud: string): string {
    const [before, after] = [base, changed].map(
        (resources) => new Map(blocks(resources, cloud).map((block) => [block.heading, block])),
    ) as [Map<string, Block>, Map<string, Block>];
    return [...new Set([...before.keys(), ...after.keys()])]
        .sort()
        .map((heading) => {
            const [old, now] = [before.get(heading), after.get(heading)];
            if (!now) return `without ${heading}\n`;
            if (!old) return `with ${whole(now)}`;
            const lines = diffArrays(linesOf(old), linesOf(now))
                .filter(({ added, removed }) => added || removed)
                .flatMap(({ added, value }) => value.map((line) => `    ${added ? "+" : "-"} ${line.trim()}\n`));
            return lines.length > 0 ? `${heading}\n${lines.join("")}` : "";
        })
        .join("");
}

interface Block {
    readonly heading: string;
    readonly lines: readonly string[];
    readonly after: readonly string[];
    readonly pinned: readonly string[];
    readonly options: readonly string[];
}

function blocks(resources: readonly Deployed[], cloud: string): Block[] {
    return resources
        .filter(({ type }) => type.startsWith(`${cloud}:`))
        .map(({ type, name, inputs, secretInputs, opts, dependsOn }) => ({
            heading: `${type.split(":").at(-1)} ${name}`,
            lines: Object.entries(inputs)
                .filter(([input, value]) => !/^tag/.test(input) || isPlainTags(value))
                .flatMap(([input, value]) => {
                    if (secretInputs.includes(input)) return `${input}: [secret]${formOf(value)}`;
                    if (!hasObjects(value)) return `${input}: ${stable(value)}`;
                    return [`${input}:`, ...value.map((each) => `  - ${stable(each)}`)];
                }),
            after: [...new Set(dependsOn)].sort(),
            options: (["deleteBeforeReplace", "retainOnDelete"] as const).filter((each) => opts[each]),
            pinned: (opts.ignoreChanges ?? []) as string[],
        }))
        .sort((a, b) => (a.heading < b.heading ? -1 : 1));
}

function whole({ heading, lines, after, pinned, options }: Block): string {
    return [
        heading,
        ...lines,
        ...(after.length > 0 ? [`after: ${after.join(", ")}`] : []),
        ...(pinned.length > 0 ? [`pinned: ${pinned.join(", ")}`] : []),
        ...options,
    ]
        .join("\n    ")
        .concat("\n");
}

/** A line for each dependency, so that changes are short. */
function linesOf({ lines, after, pinned, options }: Block): string[] {
    return [...lines, ...after.map((each) => `after: ${each}`), ...pinned.map((each) => `pinned: ${each}`), ...options];
}

/** Form of a node's config in a secret, if any. */
function formOf(value: unknown): string {
    const text = String(value);
    if (text.startsWith("#cloud-config\n")) return " (cloud-init)";
    return text.startsWith('{"ignition":') ? " (Ignition)" : "";
}

function isPlainTags(value: unknown): boolean {
    return Array.isArray(value) && !hasObjects(value);
}

function hasObjects(value: unknown): value is object[] {
    return Array.isArray(value) && value.some((each) => typeof each === "object");
}

/** A value as text that does not change with hashes. */
export function stable(value: unknown): string {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const decoded = /^(eyJpZ25pdGlvbi|I2Nsb3VkLWJvb3Rob29r)/.test(text) ? Buffer.from(text, "base64").toString() : text;
    return decoded
        .replaceAll(/-[0-9a-f]{16}\b/g, "-<hash>")
        .replaceAll(/[0-9a-f]{128}/g, "<hash>")
        .replaceAll(/\b127\.(?!0\.)\d+\.\d+\.\d+\b/g, "<own loopback address>");
}
