import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Requests } from "../../../local/requests";
import type { Target } from "./clients";
import type { Tally } from "./tally";

export type { Target } from "./clients";
export type Tallies = Record<"new" | "http2" | "watch" | "keepAlive", Tally>;

/** For benchmarks, which have the machine to themselves. Unit: milliseconds. */
export const densePace = 10;

/** A prober in its own process, so that nothing in the test delays its requests. */
export class Prober {
    readonly #child: ChildProcess;
    readonly #output: Promise<string>;
    readonly #from = new Date();
    /** Path of the tallies. @default - none, until it has been stopped with a folder */
    file?: string;

    /**
     * Starts probing; it ends on its own after `seconds`.
     * @param pace - milliseconds between two requests of a client over HTTP/2, twice that for the others. @default 30:
     * three times as many requests would take a core from the cluster under test
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

    /**
     * Stops probing and resolves to what each kind of client saw, which is also written to a file in the folder
     * `TRADEWIND_TALLIES`.
     */
    async stop(folder = process.env.TRADEWIND_TALLIES): Promise<Tallies> {
        const to = new Date();
        this.#child.kill("SIGTERM");
        const tallies: Tallies = JSON.parse(await this.#output);
        if (folder) {
            mkdirSync(folder, { recursive: true });
            this.file = resolve(folder, `requests-${this.#from.toISOString().replaceAll(":", "-")}.json`);
            writeFileSync(this.file, JSON.stringify(requestsOf(tallies, this.#from, to), undefined, 2));
        }
        return tallies;
    }
}

/** In the format of the record of `npm start`. */
export function requestsOf(tallies: Tallies, from: Date, to: Date): Requests {
    return { from: from.toISOString(), to: to.toISOString(), clients: tallies };
}

/** A readable line: requests, failures and the longest gap by kind of client. */
export function describeTallies(tallies: Tallies): string {
    return Object.entries(tallies)
        .map(
            ([kind, { requests, failures, longestGap }]) =>
                `${kind} ${requests} requests, ${failures.length} failed, longest gap ${longestGap} ms`,
        )
        .join("; ");
}
