import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { bytesOf, structOf } from "./struct";
import { isObject, type Properties, Secret } from "./values";

/** Reads properties off the wire; secrets become {@link Secret} so that {@link carrySecrets} can find them again. */
export function decode(struct: Struct | undefined): Properties {
    return struct ? structOf(struct.serializeBinary()) : {};
}

export function encode(properties: Properties): Struct {
    return Struct.deserializeBinary(bytesOf(properties));
}

/** The same properties without secret markers, as providers work with them. */
export function reveal<T>(value: T): T {
    if (value instanceof Secret) return reveal(value.value) as T;
    if (Array.isArray(value)) return value.map(reveal) as T;
    if (isObject(value)) return mapValues(value, reveal) as T;
    return value;
}

/**
 * Marks outputs secret where the input of the same name was. Objects are walked, so that one secret does not hide
 * the whole; an array with any secret is secret as a whole (as `annotateSecrets` in the engine does).
 */
export function carrySecrets(outputs: Properties, inputs: Properties): Properties {
    return Object.fromEntries(
        Object.entries(outputs).map(([key, value]) => {
            const input = inputs[key];
            if (isObject(value) && isObject(input)) return [key, carrySecrets(value, input)];
            if (value instanceof Secret || !containsSecret(input)) return [key, value];
            return [key, new Secret(value)];
        }),
    );
}

export function containsSecret(value: unknown): boolean {
    if (value instanceof Secret) return true;
    if (Array.isArray(value)) return value.some(containsSecret);
    return isObject(value) && Object.values(value).some(containsSecret);
}

function mapValues(object: Properties, change: (value: unknown) => unknown): Properties {
    return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
