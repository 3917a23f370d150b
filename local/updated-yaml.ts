import { isDeepStrictEqual } from "node:util";
import { type Document, isMap, isScalar, isSeq, type Node, parse, parseDocument, stringify } from "yaml";

/** Like Pulumi's own parser, with merge keys (`<<`). */
const options = { merge: true };

/** A YAML file's contents; undefined for an empty one. */
export function readYaml(text: string): unknown {
    return parse(text, options);
}

/**
 * A YAML text with another value of a top-level key. What does not change keeps its comments, anchors, order and form.
 *
 * @param isSame - whether a value below the key need not be written. @default - if it is equal
 */
export function withValue(
    text: string,
    key: string,
    value: object,
    isSame: (has: unknown, desired: unknown) => boolean = isDeepStrictEqual,
): string {
    const document = parseDocument(text, options);
    const [error] = document.errors;
    if (error) throw error;
    const whole = { ...(document.toJS() ?? {}), [key]: value };
    const node = document.get(key, true);
    if (!isMap(document.contents)) return stringify(whole);
    try {
        const next = node === undefined ? document.createNode(value) : updated(document, node as Node, value, isSame);
        document.set(key, next);
        return document.toString({ lineWidth: 0 });
    } catch {
        // An alias lost its anchor.
        return stringify(whole);
    }
}

function updated(
    document: Document,
    node: Node | null,
    value: unknown,
    isSame: (has: unknown, desired: unknown) => boolean,
): Node {
    const has: unknown = node?.toJS(document);
    if (node && isSame(has, value)) return node;
    if (isScalar(node) && (typeof value !== "object" || value === null)) {
        node.value = value;
        return node;
    }
    if (isSeq(node) && Array.isArray(value)) {
        node.items = value.map((each, at) => updated(document, (node.items[at] ?? null) as Node | null, each, isSame));
        return node;
    }
    if (isMap(node) && typeof value === "object" && value !== null && !Array.isArray(value)) {
        const before = has as Record<string, unknown>;
        const removed = Object.keys(before).filter((key) => !(key in value));
        // A key from a merged map can only be removed with the map.
        if (removed.every((key) => node.has(key))) {
            for (const key of removed) node.delete(key);
            for (const [key, each] of Object.entries(value)) {
                const own = (node.get(key, true) ?? null) as Node | null;
                if (own === null && key in before && isSame(before[key], each)) continue;
                node.set(key, updated(document, own, each, isSame));
            }
            return node;
        }
    }
    return document.createNode(value);
}
