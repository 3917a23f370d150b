import type { Deployed } from "../../deploy";

/**
 * A cloud's resources as reviewable text: inputs, dependencies, ignored changes.
 *
 * Without informational tags (those with values; firewalls use plain ones), and without nodes' configs, which have
 * their own golden files.
 */
export function resourceGraph(resources: readonly Deployed[], cloud: string): string {
    return resources
        .filter(({ type }) => type.startsWith(`${cloud}:`))
        .map(({ type, name, inputs, secretInputs, opts, dependsOn }) => {
            const lines = Object.entries(inputs)
                .filter(([input, value]) => !/^tag/.test(input) || isPlainTags(value))
                .flatMap(([input, value]) => {
                    if (secretInputs.includes(input)) return `    ${input}: [secret]${formOf(value)}`;
                    if (!hasObjects(value)) return `    ${input}: ${stable(value)}`;
                    return [`    ${input}:`, ...value.map((each) => `      - ${stable(each)}`)];
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
