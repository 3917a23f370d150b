import type { Retention } from "./plan";

export interface Dated {
    /** RFC 3339. */
    readonly time: string;
}

/** The snapshots to remove, oldest first. All are whole and verified, so the newest is the last good one and stays. */
export function expired<T extends Dated>(snapshots: readonly T[], { keep, maxAgeSeconds }: Retention, now: Date): T[] {
    const [newest, ...older] = [...snapshots].sort((a, b) => Date.parse(b.time) - Date.parse(a.time));
    const oldest = now.getTime() - (maxAgeSeconds ?? Number.POSITIVE_INFINITY) * 1000;
    return newest === undefined
        ? []
        : older.filter(({ time }, index) => index + 1 >= keep || Date.parse(time) < oldest).reverse();
}
