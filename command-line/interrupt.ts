import type { ChildProcess } from "node:child_process";

/** A person's Ctrl-C may reach us twice, by the terminal and by npm; a second one is a second press. */
const ONE_PRESS_MS = 700;

/** What the shell's convention is for a program that Ctrl-C ended. */
export class Interrupted extends Error {
    readonly exitCode = 130;

    constructor() {
        super("interrupted; the same command goes on from here");
    }
}

let children = 0;

/** Ends us at Ctrl-C with a word on what to do next, unless a child is to be waited for. */
export function explainInterrupts(): void {
    process.on("SIGINT", () => {
        if (children === 0) {
            const { message, exitCode } = new Interrupted();
            console.error(`error: ${message}`);
            process.exit(exitCode);
        }
    });
}

/**
 * While a child runs, hands on Ctrl-C and termination to it, once for each press, and lets it end by itself:
 * the Pulumi engine writes down what it did. The returned function stops that, and tells whether it happened.
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
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
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
