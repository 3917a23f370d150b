import type { Dated } from "./prune";

/** Lets a new cluster, or one that just came back, come to rest first. */
const settleMilliseconds = 60_000;
/** After a failure; a full disk does not get better by trying harder. */
const retryMilliseconds = 5 * 60_000;

export interface Past {
    readonly last?: Dated;
    /** When the keeper started. */
    readonly start: Date;
    readonly failure?: Dated;
}

/** When the next snapshot is due. What is dated after now is of a clock that was ahead, and puts nothing off. */
export function nextSnapshot(intervalSeconds: number, { last, start, failure }: Past, now: Date): Date {
    const after = (time: number | undefined, milliseconds: number) =>
        time !== undefined && time <= now.getTime() ? time + milliseconds : 0;
    const parsed = (dated?: Dated) => dated && Date.parse(dated.time);
    const regular = last ? after(parsed(last), intervalSeconds * 1000) : after(start.getTime(), settleMilliseconds);
    return new Date(Math.max(regular, after(parsed(failure), Math.min(retryMilliseconds, intervalSeconds * 1000))));
}
