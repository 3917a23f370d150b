import type { Retention } from "./plan";

export interface Dated {
    /** RFC 3339. */
    readonly time: string;
}

/**
 * The snapshots to remove, oldest first. All are complete and verified, so the newest is the last good one and is kept.
 * Those dated in the future came from a clock that was ahead: their age is unknown, and they are removed first.
 */
export function expired<T extends Dated>(snapshots: readonly T[], { keep, maxAgeSeconds }: Retention, now: Date): T[] {
    const [newest, ...older] = newestFirst(snapshots, now);
    const oldest = now.getTime() - (maxAgeSeconds ?? Number.POSITIVE_INFINITY) * 1000;
    return newest === undefined
        ? []
        : older.filter(({ time }, index) => index + 1 >= keep || Date.parse(time) < oldest).reverse();
}

/** The newest plausible date first, then older ones, then those dated in the future. */
export function newestFirst<T extends Dated>(snapshots: readonly T[], now: Date): T[] {
    const isAhead = ({ time }: T) => Date.parse(time) > now.getTime();
    return [...snapshots].sort(
        (a, b) => Number(isAhead(a)) - Number(isAhead(b)) || Date.parse(b.time) - Date.parse(a.time),
    );
}
