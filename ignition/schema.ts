import schema from "./schema/v3.5.json";

interface Schema {
    readonly $ref?: string;
    readonly type?: string | string[];
    readonly properties?: Record<string, Schema>;
    readonly required?: string[];
    readonly items?: Schema;
    readonly allOf?: Schema[];
}

const definitions = schema.definitions as Record<string, unknown>;

/** What in a value does not fit the published schema: unknown keys, wrong types, missing keys, each with its path. */
export function schemaErrors(value: unknown): string[] {
    return check(value, schema as Schema, "");
}

function check(value: unknown, unresolved: Schema, path: string): string[] {
    const { type, properties, required = [], items } = flatten(unresolved);
    const types = [type ?? (properties ? "object" : [])].flat();
    const actual = typeOf(value);
    if (types.length > 0 && !types.includes(actual)) {
        return [
            `${path || "config"} must be ${types.filter((name) => name !== "null").join(" or ")}, got ${shown(value)}`,
        ];
    }
    if (Array.isArray(value) && items) {
        return value.flatMap((item, index) => check(item, items, `${path}[${index}]`));
    }
    if (actual !== "object" || !properties) {
        return [];
    }
    const object = value as Record<string, unknown>;
    const at = (key: string) => (path ? `${path}.${key}` : key);
    const missing = required.filter((key) => !(key in object)).map((key) => `${at(key)} must be set, got nothing`);
    const others = Object.entries(object).flatMap(([key, item]) => {
        const known = properties[key];
        return known
            ? check(item, known, at(key))
            : [`${at(key)} must be one of ${Object.keys(properties).join(", ")}, got ${key}`];
    });
    return [...missing, ...others];
}

/** Resolves references and joins the parts of an `allOf`. */
function flatten(part: Schema): Schema {
    const target = part.$ref ? resolve(part.$ref) : part;
    if (!target.allOf) {
        return target;
    }
    const parts = target.allOf.map(flatten);
    return {
        type: target.type ?? "object",
        properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
        required: parts.flatMap(({ required = [] }) => required),
    };
}

function resolve(ref: string): Schema {
    let target: unknown = { definitions };
    for (const key of ref.replace("#/", "").split("/")) {
        target = (target as Record<string, unknown>)[key];
    }
    return flatten(target as Schema);
}

function typeOf(value: unknown): string {
    if (value === null) {
        return "null";
    }
    if (Array.isArray(value)) {
        return "array";
    }
    return Number.isInteger(value) ? "integer" : typeof value;
}

function shown(value: unknown): string {
    const text = JSON.stringify(value) ?? String(value);
    return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
