import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

// However the tests end, their side of the pipe closes, and the program is killed. The one who does it must not be
// ended before by a signal that is meant for all.
const GUARDED =
    'exec 3<&0; "$@" 3<&- </dev/null & pid=$!; (trap "" TERM INT HUP; read _ <&3; kill -KILL $pid) & wait $pid';

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
        const stdio: StdioOptions = ["pipe", output, output];
        this.child = spawn("sh", ["-c", GUARDED, "sh", this.path, ...this.args], { stdio });
        closeSync(output);
    }

    /** Kills it. */
    async stop(): Promise<void> {
        const { child } = this;
        if (!child || child.exitCode !== null) return;
        const ended = new Promise((resolve) => child.once("exit", resolve));
        child.stdin?.end();
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
