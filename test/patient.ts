import { Runnable, Suite } from "mocha";

/** Milliseconds that each test has at least, whatever it says of itself. */
const least = 240_000;

type Timeout = (this: unknown, milliseconds?: number | string) => unknown;

/** Loaded before tests that have what the processor has left beside others: how long they take says nothing of them. */
for (const kind of [Suite.prototype, Runnable.prototype] as { timeout: Timeout }[]) {
    const { timeout } = kind;
    kind.timeout = function (milliseconds) {
        return typeof milliseconds === "number"
            ? timeout.call(this, Math.max(milliseconds, least))
            : timeout.call(this, ...(milliseconds === undefined ? [] : [milliseconds]));
    };
}
