import { text } from "node:stream/consumers";
import { http2Requests, keepAlive, newConnections, type Target, watch } from "./clients";
import { Counter } from "./tally";

/** What to probe: read from standard input, so that no key shows in the process list. */
export interface ProbePlan {
    readonly targets: readonly Target[];
    /** Maximum seconds to run. */
    readonly seconds: number;
    /** Milliseconds between two requests of a client over HTTP/2, twice that for the others. */
    readonly pace: number;
}

/** Probes until SIGTERM or the time limit, then prints the tallies as JSON. */
async function main(): Promise<void> {
    const { targets, seconds, pace } = JSON.parse(await text(process.stdin)) as ProbePlan;
    const stop = new AbortController();
    process.once("SIGTERM", () => stop.abort());
    setTimeout(() => stop.abort(), seconds * 1000).unref();
    // A killed test cannot stop it.
    const { ppid: test } = process;
    setInterval(() => process.ppid !== test && process.exit(), 1000).unref();
    const counters = { new: new Counter(), http2: new Counter(), watch: new Counter(), keepAlive: new Counter() };
    await Promise.all(
        targets.flatMap((target) => [
            newConnections(target, counters.new, 2 * pace, stop.signal),
            http2Requests(target, counters.http2, pace, stop.signal),
            watch(target, counters.watch, stop.signal),
            keepAlive(target, counters.keepAlive, 2 * pace, stop.signal),
        ]),
    );
    const tallies = Object.fromEntries(Object.entries(counters).map(([kind, { tally }]) => [kind, tally]));
    // Many failures exceed a pipe's buffer: exit once everything is written.
    process.stdout.write(JSON.stringify(tallies), () => process.exit(0));
}

void main();
