import type { Config } from "./config";

/** The config as JSON: the same bytes for the same content, whatever the order of its keys. */
export function render(config: Config): string {
    return JSON.stringify(sorted(config));
}

/** Size of the rendered config in bytes, to check against a cloud's user-data limit. */
export function size(config: Config): number {
    return Buffer.byteLength(render(config));
}

/** Sorts keys; lists keep their order, which may matter. */
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
