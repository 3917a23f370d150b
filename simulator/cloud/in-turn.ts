// What runs at the same time takes turns: the last one has seen everything.
let last: Promise<unknown> = Promise.resolve();

/** Runs what brings load balancers up to date, or removes one, when nothing else of them does. */
export function inTurn<T>(run: () => Promise<T>): Promise<T> {
    const next = last.then(run);
    last = next.catch(() => undefined);
    return next;
}
