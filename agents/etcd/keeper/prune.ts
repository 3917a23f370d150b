import type { Retention } from "./plan";

export interface Dated {
    /** RFC 3339. */
    readonly time: string;
}

/**
 * The snapshots to remove, oldest first. All are whole and verified, so the newest is the last good one and stays. What is
 * dated after now is of a clock that was ahead: nobody knows its age, and it makes room for what has one.
 */
export function expired<T extends Dated>(snapshots: readonly T[], { keep, maxAgeSeconds }: Retention, now: Date): T[] {
    const [newest, ...older] = newestFirst(snapshots, now);
    const oldest = now.getTime() - (maxAgeSeconds ?? Number.POSITIVE_INFINITY) * 1000;
    return newest === undefined
        ? []
        : older.filter(({ time }, index) => index + 1 >= keep || Date.parse(time) < oldest).reverse();
}

/** The newest whose date can be right, then older ones, then those of a clock that was ahead. */
export function newestFirst<T extends Dated>(snapshots: readonly T[], now: Date): T[] {
    const isAhead = ({ time }: T) => Date.parse(time) > now.getTime();
    return [...snapshots].sort(
        (a, b) => Number(isAhead(a)) - Number(isAhead(b)) || Date.parse(b.time) - Date.parse(a.time),
    );
}
