/** Plain property values for providers: secrets unwrapped, unknowns as {@link UNKNOWN}, assets untouched. */
export type Properties = Record<string, unknown>;

/** Placeholder of a preview for a value that is only known in `up` (Pulumi's wire constant). */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

// One per element type; the Node SDK only sends the first, other SDKs may send any.
const UNKNOWNS = new Set([
    UNKNOWN,
    "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
    "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
    "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
    "030794c1-ac77-496b-92df-f27374a8bd58",
    "e48ece36-62e2-4504-bad9-02848725956a",
    "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** A value that the engine must encrypt in state and mask in output. */
export class Secret {
    constructor(readonly value: unknown) {}
}

/** Marks an output as secret. Not needed for outputs with the name of a secret input. */
export function secret(value: unknown): Secret {
    return new Secret(value);
}

export function isUnknown(value: unknown): boolean {
    return typeof value === "string" && UNKNOWNS.has(value);
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
