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

/** When the next snapshot is due. */
export function nextSnapshot(intervalSeconds: number, { last, start, failure }: Past): Date {
    const regular = last ? Date.parse(last.time) + intervalSeconds * 1000 : start.getTime() + settleMilliseconds;
    const retry = failure ? Date.parse(failure.time) + Math.min(retryMilliseconds, intervalSeconds * 1000) : 0;
    return new Date(Math.max(regular, retry));
}
