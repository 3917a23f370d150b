import { isDeepStrictEqual } from "node:util";
import { isObject, type Properties } from "../protocol/serve";
import type { KubernetesObject } from "./object";

/**
 * The part of a live object that corresponds to a program's inputs: the same shape with the live values, in the
 * program's spelling where equal. Fields that the cluster added are left out.
 *
 * `missing` says what happens to inputs that the live object lacks: dropped, or kept as in the program.
 */
export function reconcile<T extends KubernetesObject>(inputs: T, live: KubernetesObject, missing: "keep" | "drop"): T {
    const { stringData } = inputs;
    const observed = isObject(stringData) ? { ...live, stringData: decoded(live.data, Object.keys(stringData)) } : live;
    return merge(inputs, observed, missing) as T;
}

function merge(input: unknown, live: unknown, missing: "keep" | "drop"): unknown {
    if (isObject(input) && isObject(live)) return mergeObject(input, live, missing);
    if (Array.isArray(input) && Array.isArray(live)) return mergeList(input, live, missing);
    return isSame(input, live) ? input : live;
}

function mergeObject(input: Properties, live: Properties, missing: "keep" | "drop"): Properties {
    const entries = Object.entries(input).flatMap(([key, value]): [string, unknown][] => {
        if (live[key] !== undefined && live[key] !== null) return [[key, merge(value, live[key], missing)]];
        // The API omits empty values, so their absence is not a difference.
        return missing === "keep" || isEmpty(value) ? [[key, value]] : [];
    });
    return Object.fromEntries(entries);
}

function mergeList(input: unknown[], live: unknown[], missing: "keep" | "drop"): unknown[] {
    const names = new Set(input.map(nameOf));
    if (names.size === input.length && !names.has(undefined)) {
        return input.flatMap((item) => {
            const counterpart = live.find((other) => nameOf(other) === nameOf(item));
            if (counterpart !== undefined) return [merge(item, counterpart, missing)];
            return missing === "keep" ? [item] : [];
        });
    }
    if (input.some(isObject)) {
        const paired = live.slice(0, input.length).map((item, i) => merge(input[i], item, missing));
        return missing === "keep" ? [...paired, ...input.slice(live.length)] : paired;
    }
    return isSame(input, live) ? input : live;
}

function nameOf(item: unknown): unknown {
    return isObject(item) && typeof item.name === "string" ? item.name : undefined;
}

function isEmpty(value: unknown): boolean {
    if (isObject(value)) return Object.values(value).every(isEmpty);
    return Array.isArray(value) ? value.length === 0 : value === false || value === "" || value === 0;
}

function decoded(data: unknown, keys: string[]): Properties {
    const values = isObject(data) ? data : {};
    const present = keys.filter((key) => typeof values[key] === "string");
    return Object.fromEntries(present.map((key) => [key, Buffer.from(String(values[key]), "base64").toString("utf8")]));
}

const BINARY = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const DECIMAL: Record<string, number> = { n: -9, u: -6, m: -3, "": 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };

/** Whether two values are equal, as they are or as quantities (`0.5` and `500m`, `1Gi` and `1024Mi`). */
export function isSame(one: unknown, other: unknown): boolean {
    if (isDeepStrictEqual(one, other)) return true;
    if (typeof one === "boolean" || typeof other === "boolean") return false;
    const [first, second] = [quantity(one), quantity(other)];
    return first !== undefined && first === second;
}

function quantity(value: unknown): number | undefined {
    if (typeof value !== "number" && typeof value !== "string") return undefined;
    const [, digits, unit = ""] =
        /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)([KMGTPE]i|[numkMGTPE])?$/.exec(`${value}`) ?? [];
    if (digits === undefined) return undefined;
    const power = DECIMAL[unit];
    const scale = power === undefined ? 1024 ** (BINARY.indexOf(unit) + 1) : 10 ** power;
    // Rounded, because 0.1 has no exact binary form.
    return Number((Number(digits) * scale).toPrecision(12));
}
