/** As much of a JSON schema as names keys. */
export interface Schema {
    readonly properties?: Record<string, Schema>;
    readonly anyOf?: Schema[];
    readonly items?: Schema;
}

/** Every key of a schema: `a`, `a.b` of an object in it, `a[].b` of a list's objects. */
export function keysOf({ properties = {}, anyOf = [], items }: Schema, prefix = ""): string[] {
    return [
        ...Object.entries(properties).flatMap(([key, schema]) => {
            const path = prefix ? `${prefix}.${key}` : key;
            return [path, ...keysOf(schema, path)];
        }),
        ...anyOf.flatMap((schema) => keysOf(schema, prefix)),
        ...(items ? keysOf(items, `${prefix}[]`) : []),
    ];
}
