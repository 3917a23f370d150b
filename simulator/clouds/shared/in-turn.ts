import { takeFileLock } from "../../../artifacts/file-lock";
import { simulatedAccount } from "../simulated-account";

/** Turns of what may not run at the same time, in this process and in the other one of the same account. */
export class Turns {
    #last: Promise<unknown> = Promise.resolve();

    /** @param what - names a lock beside the account's file */
    constructor(private readonly what: string) {}

    /** What runs reads the account when it is its turn: the last one has seen everything. */
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

/** Runs what brings load balancers up to date, or removes one, when nothing else of them does. */
export function inTurn<T>(run: () => Promise<T>): Promise<T> {
    return balancing.take(run);
}
