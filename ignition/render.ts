import type { Config } from "./config";

/** The config as JSON: the same bytes for the same content, whatever the order in which it was put together. */
export function render(config: Config): string {
    return JSON.stringify(sorted(config));
}

/** Bytes of the rendered config, to hold against a cloud's limit of user-data. */
export function size(config: Config): number {
    return Buffer.byteLength(render(config));
}

/** Keys in order; lists keep theirs, since it may matter. */
function sorted(value: unknown): unknown {
    if (Array.isArray(value)) {
        return value.map(sorted);
    }
    if (typeof value === "object" && value !== null) {
        const entries = Object.entries(value).filter(([, item]) => item !== undefined && item !== null);
        return Object.fromEntries(
            entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, sorted(item)]),
        );
    }
    return value;
}
