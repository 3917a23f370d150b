import v3_3 from "./schema/v3.3.json";
import v3_4 from "./schema/v3.4.json";
import v3_5 from "./schema/v3.5.json";

interface Schema {
    readonly $ref?: string;
    readonly type?: string | string[];
    readonly properties?: Record<string, Schema>;
    readonly required?: string[];
    readonly items?: Schema;
    readonly allOf?: Schema[];
}

/** Each specification only adds to the previous one, so the keys of the first ones are those of 3.3 or fewer. */
const schemas: Readonly<Record<string, object>> = {
    "3.0.0": v3_3,
    "3.1.0": v3_3,
    "3.2.0": v3_3,
    "3.3.0": v3_3,
    "3.4.0": v3_4,
    "3.5.0": v3_5,
};

/** Supported specifications. */
export const versions = Object.keys(schemas);

/** Violations of a version's published schema: unknown keys, wrong types, missing keys, each with its path. */
export function schemaErrors(value: unknown, version: string): string[] {
    const root = schemas[version] ?? v3_5;
    return check(value, root as Schema, "", root);
}

function check(value: unknown, unresolved: Schema, path: string, root: object): string[] {
    const { type, properties, required = [], items } = flatten(unresolved, root);
    const types = [type ?? (properties ? "object" : [])].flat();
    const actual = typeOf(value);
    if (types.length > 0 && !types.includes(actual)) {
        const legal = types.filter((name) => name !== "null").join(" or ");
        return [`${path || "config"} must be ${legal} (got ${shown(value)})`];
    }
    if (Array.isArray(value) && items) {
        return value.flatMap((item, index) => check(item, items, `${path}[${index}]`, root));
    }
    if (actual !== "object" || !properties) {
        return [];
    }
    const object = value as Record<string, unknown>;
    const at = (key: string) => (path ? `${path}.${key}` : key);
    const missing = required
        .filter((key) => object[key] === undefined)
        .map((key) => `${at(key)} must be set (got nothing)`);
    const others = Object.entries(object).flatMap(([key, item]) => {
        if (!Object.hasOwn(properties, key)) {
            return [`${at(key)} must be one of ${Object.keys(properties).join(", ")} (got ${key})`];
        }
        return item === undefined ? [] : check(item, properties[key]!, at(key), root);
    });
    return [...missing, ...others];
}

/** Resolves references and merges the parts of an `allOf`. */
function flatten(part: Schema, root: object): Schema {
    const target = part.$ref ? resolve(part.$ref, root) : part;
    if (!target.allOf) {
        return target;
    }
    const parts = target.allOf.map((each) => flatten(each, root));
    return {
        type: target.type ?? "object",
        properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
        required: parts.flatMap(({ required = [] }) => required),
    };
}

function resolve(ref: string, root: object): Schema {
    let target: unknown = root;
    for (const key of ref.replace("#/", "").split("/")) {
        target = (target as Record<string, unknown>)[key];
    }
    return flatten(target as Schema, root);
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
