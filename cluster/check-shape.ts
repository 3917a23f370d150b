import { jsonText, shownValue } from "../clients/shown-value";
import { distance } from "./flags/check";

/** The parts of JSON Schema that options and configurations need. */
export interface Schema {
    /** A value that may also be a string is read as one. */
    readonly type?: Type | readonly Type[];
    readonly enum?: readonly unknown[];
    readonly anyOf?: readonly Schema[];
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly required?: readonly string[];
    /** Values of a map. @default all keys are known */
    readonly additionalProperties?: Schema | false;
    readonly items?: Schema;
    readonly minItems?: number;
    readonly format?: keyof typeof formats;
    /** Name of a shared schema to use instead. */
    readonly $ref?: string;
    /** Whether the value, or values in it, may become known only after the preview. */
    readonly late?: boolean;
}

type Type = keyof typeof types;

type Path = readonly (string | number)[];

/** What to know of values in addition to their schema. */
export interface Shape {
    /** Before the names of top-level keys. @default "" */
    readonly prefix?: string;
    /** Schemas by the names in `$ref`. @default none */
    readonly shared?: Readonly<Record<string, Schema>>;
    /** Whether the value of a top-level key must not be shown. @default none */
    readonly isSecret?: (key: string) => boolean;
    /** What errors call a value that is no data yet, such as `a promise`. @default all are data */
    readonly pending?: (value: unknown) => [got: string, how?: string] | undefined;
}

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
 * Checks values that no compiler has checked.
 *
 * @returns the values with strings where a number or a boolean stands for one, and a line for each error: `<key> must
 * be <legal> (got <value>)`
 */
export function checkShape(
    schema: Schema,
    values: unknown,
    { prefix = "", shared = {}, isSecret = () => false, pending = () => undefined }: Shape = {},
): { readonly value: unknown; readonly errors: readonly string[] } {
    const errors: string[] = [];
    const whole = (schema: Schema) => (schema.$ref === undefined ? schema : shared[schema.$ref]!);
    const refuse = (path: Path, legal: string, got: string, how?: string) =>
        errors.push(`${keyName(prefix, path)} must be ${legal} (got ${got})${how ? `: ${how}` : ""}`);
    const read = (given: Schema, value: unknown, path: Path, isLate: boolean): unknown => {
        const legal = whole(given);
        const mayWait = isLate || given.late === true;
        const waits = pending(value);
        if (waits !== undefined) {
            if (!mayWait) refuse(path, knownForm(legal), ...waits);
            return value;
        }
        const choices = (legal.anyOf ?? [legal]).map(whole);
        const schema = choices.find((each) => fits(each, value));
        if (!schema) {
            const isHidden = value !== undefined && isSecret(String(path[0]));
            refuse(
                path,
                choices.map(named).join(" or "),
                isHidden ? "[secret]" : shownValue(jsonText(value) ?? "nothing"),
            );
            return value;
        }
        if (Array.isArray(value)) {
            return value.map((each, index) => read(schema.items!, each, [...path, index], mayWait));
        }
        if (!isObject(value)) return schema.type?.includes("string") ? String(value) : value;
        const { properties = {}, required = [], additionalProperties } = schema;
        const keys = [...required, ...Object.keys(value).filter((key) => value[key] !== undefined)];
        return Object.fromEntries(
            [...new Set(keys)].flatMap((key) => {
                const own = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
                if (own) return [[key, read(own, value[key], [...path, key], mayWait)]];
                refuse([...path, key], "a known key", key, hintFor(key, Object.keys(properties)));
                return [];
            }),
        );
    };
    return { value: read(schema, values, [], false), errors };
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
function named({ type, enum: values, format, minItems }: Schema): string {
    if (values) return values.length > 1 ? `one of ${values.join(", ")}` : String(values[0]);
    if (format) return formats[format][1];
    const name = types[[type!].flat()[0]!][1];
    return minItems ? `${name} of at least ${minItems}` : name;
}

/** What must be known of a value at preview. */
function knownForm({ items, additionalProperties }: Schema): string {
    if (items?.late) return "a list with a known number of items, which may be outputs";
    const values = additionalProperties || undefined;
    if (values?.late) return "an object with known keys, whose values may be outputs";
    return "a plain value known at preview";
}

const mostListed = 8;

/** A suggestion for an unknown key: the nearest known key, or all of them. */
function hintFor(unknown: string, known: readonly string[]): string {
    const like = nearest(unknown, known);
    if (like) return `did you mean ${like}?`;
    return known.length <= mostListed ? `known are ${known.join(", ")}` : "docs/reference.md has all";
}

function keyName(prefix: string, [first = "args", ...rest]: Path): string {
    return rest.reduce<string>(
        (name, part) => (typeof part === "number" ? `${name}[${part}]` : `${name}.${part}`),
        `${prefix}${first}`,
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
