import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A real program that runs for as long as a test needs it, its output in a file. */
export class Program {
    private child?: ChildProcess;

    constructor(
        private readonly path: string,
        private readonly args: readonly string[],
        private readonly log: string,
    ) {}

    start(): void {
        const output = openSync(this.log, "a");
        this.child = spawn(this.path, this.args, { stdio: ["ignore", output, output] });
        closeSync(output);
        // Whatever ends the tests ends it too.
        process.once("exit", () => this.child?.kill("SIGKILL"));
    }

    async stop(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
        const { child } = this;
        if (!child || child.exitCode !== null || child.signalCode !== null) return;
        const ended = new Promise((resolve) => child.once("exit", resolve));
        child.kill(signal);
        await ended;
    }

    /** Waits until `isUp`. @throws with the last lines of its output when it ends or takes too long */
    async until(isUp: () => Promise<boolean>, seconds: number): Promise<void> {
        const end = Date.now() + seconds * 1000;
        while (!(await isUp().catch(() => false))) {
            if (this.child?.exitCode !== null || Date.now() > end) {
                const lines = readFileSync(this.log, "utf8").trim().split("\n").slice(-15);
                throw new Error(`${this.path} did not come up within ${seconds} s:\n${lines.join("\n")}`);
            }
            await sleep(50);
        }
    }
}

/** A port of the loopback address that nobody listens on. */
export function freePort(): Promise<number> {
    return new Promise((resolve, reject) => {
        const server = createServer().once("error", reject);
        server.listen(0, "127.0.0.1", () => {
            const { port } = server.address() as { port: number };
            server.close(() => resolve(port));
        });
    });
}
