/** The used parts of a JSON schema. */
export interface Schema {
    readonly type?: string | readonly string[];
    readonly description?: string;
    readonly default?: unknown;
    readonly enum?: readonly unknown[];
    readonly const?: unknown;
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly required?: readonly string[];
    readonly anyOf?: readonly Schema[];
    readonly items?: Schema;
    readonly additionalProperties?: Schema | boolean;
}

/** A key, written as `a`, `a.b` for a nested object, `a[].b` for objects in a list. */
export interface Row {
    readonly key: string;
    readonly type: string;
    readonly isRequired: boolean;
    readonly schema: Schema;
}

/** Every key of a schema, each before its nested keys. */
export function schemaRows(schema: Schema, prefix = ""): Row[] {
    const { properties = {}, required = [], anyOf = [], items } = schema;
    const own = Object.entries(properties).flatMap(([name, each]) => {
        const key = prefix ? `${prefix}.${name}` : name;
        // In the output schema, a key with a default is required; in the input it is not.
        const isRequired = required.includes(name) && each.default === undefined;
        return [{ key, type: typeName(each), isRequired, schema: each }, ...schemaRows(each, key)];
    });
    return [
        ...own,
        ...anyOf.flatMap((each) => schemaRows(each, prefix)),
        ...(items ? schemaRows(items, `${prefix}[]`) : []),
    ];
}

/** As text: `list of string`. */
export function typeName({ type, enum: values, const: value, anyOf, items, additionalProperties }: Schema): string {
    if (values) return values.map((each) => `\`${each}\``).join(", ");
    if (value !== undefined) return `\`${value}\``;
    if (anyOf) return [...new Set(anyOf.map(typeName))].join(" or ");
    if (Array.isArray(type)) return type.join(" or ");
    if (type === "array") {
        const each = items ? typeName(items) : "anything";
        return `list of ${each.includes(" or ") ? `(${each})` : each}`;
    }
    if (type === "integer") return "whole number";
    if (type === "object" && typeof additionalProperties === "object")
        return `map to ${typeName(additionalProperties)}`;
    return String(type);
}
