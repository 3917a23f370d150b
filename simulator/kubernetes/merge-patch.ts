import { isDeepStrictEqual } from "node:util";
import { isObject, type Properties } from "../plugin";

/** The JSON merge patch (RFC 7386) that leads from one object to another; what was dropped is null. */
export function mergePatch(before: Properties, after: Properties): Properties {
    const patch: Properties = {};
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
        const [old, value] = [before[key], after[key]];
        if (isDeepStrictEqual(old, value)) continue;
        patch[key] = isObject(old) && isObject(value) ? mergePatch(old, value) : (value ?? null);
    }
    return patch;
}
