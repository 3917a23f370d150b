import { isUnknown } from "../../simulator/plugin/values";

/** What stands for a value that is not shown. */
export const SECRET = "[secret]";
/** What stands for a value that only `up` can tell. */
export const UNKNOWN = "[known after up]";

/** Pulumi's mark of values that are no plain JSON, and which of them are secret. */
const signature = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** A value as the engine tells it, with nothing that is secret in it, whether it was told encrypted or not. */
export function plain(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(plain);
    if (isUnknown(value)) return UNKNOWN;
    if (value === null || typeof value !== "object") return value;
    if (isSecret(value)) return SECRET;
    // Assets and references: what they are, without Pulumi's mark.
    const entries = Object.entries(value).filter(([key]) => key !== signature && !key.startsWith("__"));
    return Object.fromEntries(entries.map(([key, each]) => [key, plain(each)]));
}

/** Whether it is the envelope of a secret; its `plaintext` is there if somebody asked for it, as JSON. */
export function isSecret(value: unknown): value is { readonly plaintext?: string } {
    return typeof value === "object" && value !== null && Reflect.get(value, signature) === secretSignature;
}
