import type { Deployed } from "../../deploy";

/**
 * A cloud's resources as text that a person reviews: what each is made of, what it waits for, what never changes it.
 *
 * Left out are tags that only tell people something (those with values; firewalls know machines by plain ones), and
 * what depends on nodes' configs, which have golden files of their own.
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

/** Which form of a node's config a secret is, if it is one. */
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

/** A value as text that stays when only what it hashes changes. */
export function stable(value: unknown): string {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const decoded = /^(eyJpZ25pdGlvbi|I2Nsb3VkLWJvb3Rob29r)/.test(text) ? Buffer.from(text, "base64").toString() : text;
    return decoded
        .replaceAll(/-[0-9a-f]{16}\b/g, "-<hash>")
        .replaceAll(/[0-9a-f]{128}/g, "<hash>")
        .replaceAll(/\b127\.(?!0\.)\d+\.\d+\.\d+\b/g, "<own loopback address>");
}
