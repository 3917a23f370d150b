import { isDeepStrictEqual } from "node:util";
import { type Document, isMap, isScalar, isSeq, type Node, parseDocument, stringify } from "yaml";

/** Like Pulumi's own parser, with merge keys (`<<`). */
const options = { merge: true };

/** A value of a stack's configuration: `pulumi config set` stores all as text, lists and maps as JSON. */
export function decoded(value: unknown): unknown {
    if (typeof value !== "string" || !/^([[{]|\d+$|true$|false$)/.test(value)) return value;
    try {
        return JSON.parse(value);
    } catch {
        return value;
    }
}

/**
 * A YAML text with another value of a top-level key. What does not change keeps its comments, anchors, order and form,
 * the file its line ends and its byte order mark.
 */
export function withValue(text: string, key: string, value: object): string {
    const changed = changedText(text, key, value);
    const mark = text.startsWith("\ufeff") ? "\ufeff" : "";
    return mark + (text.includes("\r\n") ? changed.replaceAll("\n", "\r\n") : changed);
}

function isSame(has: unknown, desired: unknown): boolean {
    return isDeepStrictEqual(decoded(has), desired);
}

function changedText(text: string, key: string, value: object): string {
    const document = parseDocument(text, options);
    const [error] = document.errors;
    if (error) throw error;
    const whole = { ...(document.toJS() ?? {}), [key]: value };
    const node = document.get(key, true);
    if (!isMap(document.contents)) return stringify(whole);
    try {
        const next = node === undefined ? document.createNode(value) : updated(document, node as Node, value);
        document.set(key, next);
        return document.toString({ lineWidth: 0 });
    } catch {
        // An alias lost its anchor.
        return stringify(whole);
    }
}

function updated(document: Document, node: Node | null, value: unknown): Node {
    const has: unknown = node?.toJS(document);
    if (node && isSame(has, value)) return node;
    if (isScalar(node) && (typeof value !== "object" || value === null)) {
        node.value = value;
        return node;
    }
    if (isSeq(node) && Array.isArray(value)) {
        node.items = value.map((each, at) => updated(document, (node.items[at] ?? null) as Node | null, each));
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
                node.set(key, updated(document, own, each));
            }
            return node;
        }
    }
    return document.createNode(value);
}
