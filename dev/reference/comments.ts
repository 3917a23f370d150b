import type { Schema } from "../../cluster/check-shape";

/** A parsed comment of an option. */
export interface Comment {
    /** As a single line. */
    readonly text: string;
    /** Text after `@default`: values as code, prose unchanged. */
    readonly default?: string;
    /** Pages to link to, from `@see`: `docs/etcd.md#space`. */
    readonly see: readonly string[];
    /** What the type does not say, from the tags `@format` and `@minItems`. */
    readonly checks: Pick<Schema, "format" | "minItems">;
}

/** Parses a comment with its tags, with or without leading stars. */
export function readComment(text: string): Comment {
    const plain = text
        .replaceAll(/^\s*\* ?/gm, "")
        .replaceAll(/\s+/g, " ")
        .trim();
    const [said = "", ...tags] = plain.split(/(?:^| )@(?=(?:default|see|format|minItems)\b)/);
    const values = (name: string) =>
        tags.filter((tag) => tag.startsWith(`${name} `)).map((tag) => tag.slice(name.length).trim());
    const [value] = values("default").map(usual);
    const [format] = values("format") as Schema["format"][];
    const [minItems] = values("minItems").map(Number);
    return {
        text: said.trim(),
        ...(value !== undefined && { default: value }),
        see: values("see"),
        checks: { ...(format && { format }), ...(minItems && { minItems }) },
    };
}

/** Values are JSON, prose is not. */
function usual(text: string): string {
    try {
        const value = JSON.parse(text);
        if (typeof value === "object" && Object.keys(value).length === 0) return "none";
        return `\`${typeof value === "string" ? value : text}\``;
    } catch {
        return text.replace(/^- /, "");
    }
}
