/**
 * A document in the YAML that cloud-init reads, which is an older one: there a plain `no`, `<<` or 1:30 is no text,
 * and a tab outside quotes is an error. So no text is left plain.
 */
export function toYaml(value: unknown): string {
    // Loaded only here: most clusters' machines take Ignition, and their previews should be quick.
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

/** Lines of text read best as they are; where the first one is indented, parsers differ. */
function isBlock(text: string): boolean {
    return text.includes("\n") && /^\S/.test(text);
}
