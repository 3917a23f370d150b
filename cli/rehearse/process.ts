import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Ends the program when this process ends, even by SIGKILL: then the pipe that it reads is closed. */
const guarded = 'exec 3<&0; (trap "" TERM INT HUP; read _ <&3; kill -KILL $$) & exec "$@" 3<&- </dev/null';

/** Lines of output in an error. */
const shownLines = 12;

/** A program that ends with this process. Its output goes to a file. */
export class GuardedProcess {
    readonly #child: ChildProcess;
    readonly #ended: Promise<unknown>;

    constructor(
        private readonly path: string,
        args: readonly string[],
        private readonly log: string,
    ) {
        const output = openSync(log, "a", 0o600);
        this.#child = spawn("sh", ["-c", guarded, "sh", path, ...args], { stdio: ["pipe", output, output] });
        closeSync(output);
        this.#ended = new Promise((resolve) => {
            this.#child.once("exit", resolve);
            this.#child.once("error", resolve);
        });
    }

    async stop(): Promise<void> {
        this.#child.kill("SIGKILL");
        await this.#ended;
    }

    /** Waits until it serves. @throws Error with its last lines if it exits or takes too long */
    async until(serves: () => Promise<unknown>, seconds: number): Promise<void> {
        const deadline = performance.now() + seconds * 1000;
        for (;;) {
            try {
                await serves();
                return;
            } catch {
                const hasEnded = this.#child.exitCode !== null || this.#child.signalCode !== null;
                if (hasEnded || performance.now() > deadline) throw this.#failed(hasEnded, seconds);
            }
            await sleep(100);
        }
    }

    #failed(hasEnded: boolean, seconds: number): Error {
        const lines = readFileSync(this.log, "utf8").trim().split("\n").slice(-shownLines);
        const what = hasEnded ? "ended" : `did not serve within ${seconds} s`;
        return new Error([`${this.path} ${what}:`, ...lines].join("\n"));
    }
}
