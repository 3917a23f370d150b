import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import type { Target } from "./clients";
import type { Tally } from "./tally";

export type { Target } from "./clients";
export type Tallies = Record<"new" | "http2" | "watch" | "keepAlive", Tally>;

/** For benchmarks, which have the computer for themselves. Unit: milliseconds. */
export const densePace = 10;

/** A prober in a process of its own, so that nothing the test does delays its requests. */
export class Prober {
    readonly #child: ChildProcess;
    readonly #output: Promise<string>;

    /**
     * Starts probing; it ends by itself after `seconds`.
     * @param pace - milliseconds between two requests of a client over HTTP/2, twice that for the others. @default 30: three times the
     * clients would take a core from the cluster that they ask
     */
    constructor(targets: readonly Target[], seconds: number, pace = 30) {
        const main = resolve(__dirname, "main.ts");
        this.#child = spawn("node", ["--require", "tsx/cjs", main], { stdio: ["pipe", "pipe", "inherit"] });
        this.#child.stdin?.end(JSON.stringify({ targets, seconds, pace }));
        this.#output = new Promise((done) => {
            let text = "";
            this.#child.stdout?.on("data", (chunk) => {
                text += chunk;
            });
            this.#child.on("close", () => done(text));
        });
    }

    /** Ends probing and resolves to what each kind of client saw. */
    async stop(): Promise<Tallies> {
        this.#child.kill("SIGTERM");
        return JSON.parse(await this.#output);
    }
}

/** A line for people: requests, failures and the longest gap by kind of client. */
export function describeTallies(tallies: Tallies): string {
    return Object.entries(tallies)
        .map(
            ([kind, { requests, failures, longestGap }]) =>
                `${kind} ${requests} requests, ${failures.length} failed, longest gap ${longestGap} ms`,
        )
        .join("; ");
}
