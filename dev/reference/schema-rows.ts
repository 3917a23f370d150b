import type { Comment } from "./comments";
import type { CommentedSchema } from "./option-schema";

/** A key, written as `a`, `a.b` for a nested object, `a[].b` for objects in a list. */
export interface Row {
    readonly key: string;
    readonly type: string;
    readonly isRequired: boolean;
    readonly comment: Comment;
}

/** Every key of a schema, each before its nested keys. */
export function schemaRows(schema: CommentedSchema, prefix = ""): Row[] {
    const { properties = {}, required = [], anyOf = [], items } = schema;
    const own = Object.entries(properties).flatMap(([name, each]) => {
        const key = prefix ? `${prefix}.${name}` : name;
        const row = { key, type: typeName(each), isRequired: required.includes(name), comment: each.comment! };
        return [row, ...schemaRows(each, key)];
    });
    return [
        ...own,
        ...anyOf.flatMap((each) => schemaRows(each, prefix)),
        ...(items ? schemaRows(items, `${prefix}[]`) : []),
    ];
}

/** As text: `list of string`. */
function typeName({ type, enum: values, anyOf, items, additionalProperties }: CommentedSchema): string {
    if (values) return values.map((each) => `\`${each}\``).join(", ");
    if (anyOf) return anyOf.map(typeName).join(" or ");
    if (items) return `list of ${items.anyOf ? `(${typeName(items)})` : typeName(items)}`;
    if (type === "integer") return "whole number";
    if (additionalProperties) return `map to ${typeName(additionalProperties)}`;
    // Numbers and booleans are read as strings.
    return type?.includes("string") ? "string" : String(type);
}
