import type { Deployed } from "../deploy";

/**
 * A cloud's resources as text that a person reviews: what each is made of, what it waits for, what never changes it.
 *
 * Tags are left out, and what depends on nodes' configs, which have golden files of their own.
 */
export function resourceGraph(resources: readonly Deployed[], cloud: string): string {
    return resources
        .filter(({ type }) => type.startsWith(`${cloud}:`))
        .map(({ type, name, inputs, secretInputs, opts, dependsOn }) => {
            const { tags: _, tagSpecifications: __, ...rest } = inputs;
            const lines = Object.entries(rest).map(([input, value]) => {
                const shown = secretInputs.includes(input) ? "[secret]" : stable(value);
                return `    ${input}: ${shown}`;
            });
            const needs = dependsOn.length > 0 ? [`    after: ${[...new Set(dependsOn)].sort().join(", ")}`] : [];
            const { ignoreChanges = [] } = opts;
            const pinned = ignoreChanges.length > 0 ? [`    pinned: ${(ignoreChanges as string[]).join(", ")}`] : [];
            return [`${type.split(":").at(-1)} ${name}`, ...lines, ...needs, ...pinned].join("\n");
        })
        .sort()
        .join("\n")
        .concat("\n");
}

function stable(value: unknown): string {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const decoded = /^eyJpZ25pdGlvbi/.test(text) ? Buffer.from(text, "base64").toString() : text;
    return decoded.replaceAll(/-[0-9a-f]{16}\.ign/g, "-<hash>.ign").replaceAll(/[0-9a-f]{128}/g, "<hash>");
}
