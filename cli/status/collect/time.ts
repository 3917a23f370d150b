/** Whole seconds from a moment, RFC 3339, to another: milliseconds since 1970. None if the first is not known. */
export function secondsSince(moment: string | undefined, now: number): number {
    const then = Date.parse(moment ?? "");
    return Number.isNaN(then) ? 0 : Math.max(0, Math.round((now - then) / 1000));
}
