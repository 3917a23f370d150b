/**
 * A document in the older YAML of cloud-init, where a plain `no`, `<<` or 1:30 is not a string and a tab outside quotes
 * is an error. So all strings are quoted.
 */
export function toYaml(value: unknown): string {
    // Loaded on demand: most clusters' machines use Ignition, and previews should be fast.
    const { Document, Scalar, visit } = require("yaml") as typeof import("yaml");
    const document = new Document(value, { aliasDuplicateObjects: false });
    visit(document, {
        Scalar(key, node) {
            if (key !== "key" && typeof node.value === "string") {
                node.type = isBlock(node.value) ? Scalar.BLOCK_LITERAL : Scalar.QUOTE_DOUBLE;
            }
        },
    });
    return document.toString({ lineWidth: 0 });
}

/** Multi-line text is most readable unquoted; if the first line is indented, parsers differ. */
function isBlock(text: string): boolean {
    return text.includes("\n") && /^\S/.test(text);
}
