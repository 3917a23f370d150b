/** A time of the week, in UTC. */
export interface RebootWindow {
    /** Days on which it begins, 0 is Sunday. */
    readonly days: readonly number[];
    /** Minute of the day at which it begins. */
    readonly start: number;
    /** How long it lasts, a day at most. */
    readonly minutes: number;
}

const day = 86_400;

/** Until when a reboot may begin, if it may now: both in seconds since 1970. */
export function openUntil(windows: readonly RebootWindow[], now: number): number | undefined {
    const ends = windows.flatMap(({ days, start, minutes }) =>
        // One that began yesterday may last into today.
        [0, 1].flatMap((ago) => {
            const midnight = (Math.floor(now / day) - ago) * day;
            const begin = midnight + start * 60;
            const end = begin + minutes * 60;
            return days.includes(weekday(midnight)) && begin <= now && now < end ? [end] : [];
        }),
    );
    return ends.length === 0 ? undefined : Math.max(...ends);
}

function weekday(seconds: number): number {
    return new Date(seconds * 1000).getUTCDay();
}
