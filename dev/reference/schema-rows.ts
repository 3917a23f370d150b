/** As much of a JSON schema as the reference tells. */
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

/** A key, written as `a`, `a.b` of an object in it, `a[].b` of a list's objects. */
export interface Row {
    readonly key: string;
    readonly type: string;
    readonly isRequired: boolean;
    readonly schema: Schema;
}

/** Every key of a schema, each before those within it. */
export function schemaRows(schema: Schema, prefix = ""): Row[] {
    const { properties = {}, required = [], anyOf = [], items } = schema;
    const own = Object.entries(properties).flatMap(([name, each]) => {
        const key = prefix ? `${prefix}.${name}` : name;
        // One that has a default is required of what comes out of the schema, not of what is written.
        const isRequired = required.includes(name) && each.default === undefined;
        return [{ key, type: typeName(each), isRequired, schema: each }, ...schemaRows(each, key)];
    });
    return [
        ...own,
        ...anyOf.flatMap((each) => schemaRows(each, prefix)),
        ...(items ? schemaRows(items, `${prefix}[]`) : []),
    ];
}

/** In words: `list of string`. */
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
