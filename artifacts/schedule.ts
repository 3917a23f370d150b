import type { Item, Lane } from "./item";

/** The part of an item that matters for its place in the queue. */
export type Queued = Pick<Item, "id" | "lane" | "needs">;

/**
 * Runs work in order, one item of each lane at a time, none before what it needs of the others.
 * After a failure nothing more begins; what runs is waited for, and the first failure is thrown.
 */
export async function schedule<T extends Queued>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
    const waiting = [...items];
    const unfinished = new Set(items.map(({ id }) => id));
    const running = new Map<Lane, Promise<void>>();
    const failures: unknown[] = [];
    const start = (item: T) => {
        waiting.splice(waiting.indexOf(item), 1);
        const ended = work(item)
            .then(() => void unfinished.delete(item.id))
            .catch((error) => void failures.push(error))
            .finally(() => running.delete(item.lane));
        running.set(item.lane, ended);
    };
    for (;;) {
        const isReady = (item: T) => !running.has(item.lane) && !item.needs?.some((need) => unfinished.has(need));
        for (let next = waiting.find(isReady); next && failures.length === 0; next = waiting.find(isReady)) {
            start(next);
        }
        if (running.size === 0) {
            break;
        }
        await Promise.race(running.values());
    }
    if (failures.length > 0) {
        throw failures[0];
    }
    if (waiting.length > 0) {
        throw new Error(`these wait for each other: ${waiting.map(({ id }) => id).join(", ")}`);
    }
}
