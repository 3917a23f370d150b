import { requireDuration } from "../../cluster/durations";
import type { Check } from "../../command-line/parse";

/** A duration as the value of an option, in seconds: `10m`. */
export function duration(least: string, most: string): Check<number> {
    return {
        legal: `a duration from ${least} to ${most}, such as 10m`,
        read: (text) => {
            try {
                return requireDuration("", text, least, most);
            } catch {
                return undefined;
            }
        },
    };
}
