import { distance } from "../cluster/flags/check";
import { newKeyOf, newNameOf } from "../cluster/renamed-options";

/** The parts of JSON Schema that configurations need. */
export interface Schema {
    /** A value that may also be a string is read as one. */
    readonly type?: Type | readonly Type[];
    readonly enum?: readonly unknown[];
    readonly anyOf?: readonly Schema[];
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly required?: readonly string[];
    /** Values of a map. `false` if all keys are known. */
    readonly additionalProperties?: Schema | false;
    readonly items?: Schema;
    readonly minItems?: number;
    readonly format?: keyof typeof formats;
}

type Type = keyof typeof types;

type Path = readonly (string | number)[];

/** Types of values, and what errors call them. */
const types = {
    string: [(value: unknown) => typeof value === "string", "a string"],
    integer: [Number.isInteger, "a whole number"],
    number: [(value: unknown) => typeof value === "number", "a number"],
    boolean: [(value: unknown) => typeof value === "boolean", "true or false"],
    array: [Array.isArray, "a list"],
    object: [isObject, "an object"],
} as const;

const formats = { sha256: [/^[0-9a-f]{64}$/, "a SHA-256 of 64 hexadecimal digits"] } as const;

/**
 * Checks a stack's configuration.
 *
 * @param isSecret - whether the value of a top-level key must not be shown
 * @returns the configuration with strings where a number or a boolean stands for one, and a line for each error: `<key>
 * must be <legal>, got <value>`
 */
export function checkConfig(
    schema: Schema,
    config: unknown,
    isSecret: (key: string) => boolean = () => false,
): { readonly value: unknown; readonly errors: readonly string[] } {
    const errors: string[] = [];
    const read = (legal: Schema, value: unknown, path: Path): unknown => {
        const schema = (legal.anyOf ?? [legal]).find((each) => fits(each, value));
        if (!schema) {
            const shown = value !== undefined && isSecret(String(path[0])) ? "[secret]" : JSON.stringify(value);
            errors.push(`${keyName(path)} must be ${named(legal)}, got ${shown ?? "nothing"}`);
            return value;
        }
        if (Array.isArray(value)) return value.map((each, index) => read(schema.items!, each, [...path, index]));
        if (!isObject(value)) return schema.type?.includes("string") ? String(value) : value;
        const { properties = {}, required = [], additionalProperties } = schema;
        const keys = [...new Set([...required, ...Object.keys(value)])];
        return Object.fromEntries(
            keys.flatMap((key) => {
                const own = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
                if (own) return [[key, read(own, value[key], [...path, key])]];
                errors.push(unknownKey(path, key, Object.keys(properties)));
                return [];
            }),
        );
    };
    return { value: read(schema, config, []), errors };
}

function isObject(value: unknown): value is Record<string, unknown> {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fits({ type, enum: values, format, minItems = 0 }: Schema, value: unknown): boolean {
    if (values) return values.includes(value);
    if (format && !formats[format][0].test(String(value))) return false;
    if (Array.isArray(value) && value.length < minItems) return false;
    return [type ?? []].flat().some((each) => types[each][0](value));
}

/** The legal values, as text. */
function named({ type, enum: values, anyOf, format, minItems }: Schema): string {
    if (anyOf) return anyOf.map(named).join(" or ");
    if (values) return values.length > 1 ? `one of ${values.join(", ")}` : String(values[0]);
    if (format) return formats[format][1];
    const name = types[[type!].flat()[0]!][1];
    return minItems ? `${name} of at least ${minItems}` : name;
}

function unknownKey(path: Path, key: string, known: readonly string[]): string {
    const now = path.length === 0 ? newKeyOf(key) : newNameOf(key);
    if (now !== undefined) return `${keyName([...path, key])} is now ${keyName([...path, now])}`;
    return `${keyName([...path, key])} must be a known key${hintFor(key, known)}, got ${key}`;
}

const mostListed = 8;

/** A suggestion for an unknown key: the nearest known key, or all of them. */
function hintFor(unknown: string, known: readonly string[]): string {
    const like = nearest(unknown, known);
    if (like) return ` (did you mean ${like}?)`;
    return known.length <= mostListed ? ` (one of ${known.join(", ")})` : " (docs/reference.md has all)";
}

function keyName(path: Path): string {
    const [first, ...rest] = path;
    return rest.reduce<string>(
        (name, part) => (typeof part === "number" ? `${name}[${part}]` : `${name}.${part}`),
        `tradewind:${first}`,
    );
}

/** The known key most similar to the given one, if any is similar enough. */
export function nearest(key: string, known: readonly string[]): string | undefined {
    const most = Math.ceil(key.length / 3);
    const [best] = known
        .map((name) => ({ name, distance: distance(key.toLowerCase(), name.toLowerCase()) }))
        .filter((each) => each.distance <= most)
        .sort((a, b) => a.distance - b.distance);
    return best?.name;
}
