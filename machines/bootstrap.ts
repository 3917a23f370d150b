import { setTimeout as sleep } from "node:timers/promises";
import { parseStage, Standing } from "../agents/bootstrap/standing";
import { docker } from "./docker";
import { lastLines } from "./last-lines";
import { requireMachine } from "./machine";
import { containerName } from "./names";
import { streamDocker } from "./stream";

export interface BootstrapWaitOptions {
    readonly cluster: string;
    readonly name: string;

    /** Seconds. @default 900 */
    readonly timeout?: number;

    /** Gets each stage as it happens, as a line for people. @default - written to standard output */
    readonly print?: (line: string) => void;
}

/** For one look, which ends by itself after 15 s: a client that hangs must not keep us from the next. */
const FOLLOW_LIMIT_MS = 60_000;

/**
 * Follows the bootstrap until the cluster's own control plane has taken over, through crashes and reboots
 * of the machine. An error with its step and the last lines of its units if it gives up, fails again and again or takes too long.
 */
export async function waitForBootstrap(options: BootstrapWaitOptions): Promise<void> {
    const { cluster, name, timeout = 900, print = console.log } = options;
    await requireMachine(cluster, name);
    const container = containerName(cluster, name);
    const start = Date.now();
    const deadline = start + timeout * 1000;
    const standing = new Standing(start);
    let seen = 0;
    while (Date.now() < deadline) {
        const before = seen;
        const command = ["exec", container, "/usr/lib/tradewind/follow-bootstrap", String(seen)];
        const limit = Math.min(FOLLOW_LIMIT_MS, deadline - Date.now());
        const exitCode = await streamDocker(command, { timeout: limit }, (line) => {
            seen++;
            standing.take(parseStage(line));
            print(describeStage(line));
        });
        if (exitCode === 0) {
            return;
        }
        if (exitCode === 4 || standing.isHopeless) {
            throw new Error(`the bootstrap on ${name} failed${standing.describe()}\n${await lastLines(container)}`);
        }
        if (seen === before) {
            const seconds = Math.round((Date.now() - start) / 1000);
            print(`bootstrap: waiting for ${name}, ${seconds}s: ${await whatItWaitsFor(container)}`);
        }
        // Where the machine was off or on its way up, the log goes on where it stopped.
        await sleep(500);
    }
    throw new Error(
        `the bootstrap on ${name} did not end within ${timeout} s${standing.describe()}\n${await lastLines(container)}`,
    );
}

/** A line of the stage log as people read it: `bootstrap: apply-manifests done in 1.2s`. */
export function describeStage(line: string): string {
    const stage = parseStage(line);
    if (stage === undefined) {
        return `bootstrap: ${line}`;
    }
    const { step, event, seconds, message } = stage;
    const duration = seconds === undefined ? "" : `${event === "done" ? " in" : " after"} ${seconds.toFixed(1)}s`;
    return `bootstrap: ${step} ${event}${duration}${message ? `: ${message}` : ""}`;
}

/** The state of the bootstrap's unit, its last words and what the init system has yet to do, on a line. */
async function whatItWaitsFor(container: string): Promise<string> {
    const look = `systemctl show --property ActiveState --property SubState --value bootstrap.service | xargs
        journalctl --no-pager --lines 1 --output cat --unit bootstrap
        systemctl list-jobs --no-legend --plain | head --lines 5`;
    const words = await docker(["exec", container, "sh", "-c", look], { timeout: 10_000 }).catch(
        (error: Error) => error.message,
    );
    return words
        .trim()
        .split(/\s*\n\s*/)
        .join("; ");
}
