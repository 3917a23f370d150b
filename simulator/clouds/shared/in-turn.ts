import { takeFileLock } from "../../../cache/file-lock";
import { simulatedAccount } from "../../../clients/simulated-account";

/** Serializes work that must not run concurrently, in this process and in the other one of the same account. */
export class Turns {
    #last: Promise<unknown> = Promise.resolve();

    /** @param what - names a lock next to the account's file */
    constructor(private readonly what: string) {}

    /** Work reads the account once it holds the lock: the last one has seen everything. */
    take<T>(run: () => Promise<T>): Promise<T> {
        const next = this.#last.then(() => this.#alone(run));
        this.#last = next.catch(() => undefined);
        return next;
    }

    async #alone<T>(run: () => Promise<T>): Promise<T> {
        const account = simulatedAccount();
        if (account === undefined) return run();
        const release = await takeFileLock(`${account}.${this.what}.lock`, () => undefined);
        try {
            return await run();
        } finally {
            release();
        }
    }
}

const balancing = new Turns("balancing");

/** Runs work that updates or removes load balancers, one at a time. */
export function inTurn<T>(run: () => Promise<T>): Promise<T> {
    return balancing.take(run);
}
