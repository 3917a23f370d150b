import { isUnknown, UNKNOWN } from "../../../clients/pulumi-unknown";

export { isUnknown, UNKNOWN };

/** Plain property values for providers: secrets unwrapped, unknowns as {@link UNKNOWN}, assets untouched. */
export type Properties = Record<string, unknown>;

/** A value that the engine must encrypt in state and mask in output. */
export class Secret {
    constructor(readonly value: unknown) {}
}

/** Marks an output as secret. Not needed for outputs with the name of a secret input. */
export function secret(value: unknown): Secret {
    return new Secret(value);
}

/** Whether the value is unknown, or an object or array that contains an unknown value at any depth. */
export function containsUnknown(value: unknown): boolean {
    if (value instanceof Secret) return containsUnknown(value.value);
    if (Array.isArray(value)) return value.some(containsUnknown);
    if (isObject(value)) return Object.values(value).some(containsUnknown);
    return isUnknown(value);
}

export function isObject(value: unknown): value is Properties {
    return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Secret);
}
