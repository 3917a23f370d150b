import type { ChildProcess } from "node:child_process";

/** A single Ctrl-C may arrive twice, from the terminal and from npm; only a later one is a second press. */
const ONE_PRESS_MS = 700;

/** Exit code of programs ended by Ctrl-C, by convention. */
export class Interrupted extends Error {
    readonly exitCode = 130;

    constructor(next = "run the same command again to resume") {
        super(`interrupted; ${next}`);
    }
}

let children = 0;

/** On Ctrl-C, exits with a hint on how to resume, unless a child process is running. */
export function explainInterrupts(): void {
    process.on("SIGINT", () => {
        if (children === 0) {
            const { message, exitCode } = new Interrupted();
            console.error(`error: ${message}`);
            process.exit(exitCode);
        }
    });
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Calls a handler on Ctrl-C and termination, instead of ending the process, until the returned function is called. */
export function onSignals(handler: () => void): () => void {
    for (const signal of signals) process.on(signal, handler);
    return () => {
        for (const signal of signals) process.off(signal, handler);
    };
}

/** Rejects on Ctrl-C or termination, unless a child process runs, which then gets the signal and ends the work itself. */
export async function orInterrupted<T>(work: () => Promise<T>): Promise<T> {
    let handler = () => {};
    const interrupted = new Promise<never>((_, reject) => {
        handler = () => {
            if (children === 0) reject(new Interrupted());
        };
    });
    const stop = onSignals(handler);
    try {
        return await Promise.race([work(), interrupted]);
    } finally {
        stop();
    }
}

/**
 * While a child runs, forwards Ctrl-C and termination signals to it, once per press, and lets it exit by itself, so that
 * Pulumi can record what it did. The returned function stops forwarding and returns whether there was a signal.
 */
export function handOnInterrupts(child: ChildProcess, onFirst: () => void): () => boolean {
    let last = Number.NEGATIVE_INFINITY;
    let isInterrupted = false;
    const handler = () => {
        if (Date.now() - last < ONE_PRESS_MS) {
            return;
        }
        last = Date.now();
        if (!isInterrupted) {
            onFirst();
        }
        isInterrupted = true;
        child.kill("SIGINT");
    };
    for (const signal of signals) {
        process.on(signal, handler);
    }
    children++;
    return () => {
        children--;
        for (const signal of signals) {
            process.off(signal, handler);
        }
        return isInterrupted;
    };
}
