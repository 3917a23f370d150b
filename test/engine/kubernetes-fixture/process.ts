import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

// However the tests end, their side of the pipe closes, and the program is killed. The process that kills it must
// survive signals sent to the whole group.
const GUARDED = 'exec 3<&0; (trap "" TERM INT HUP; read _ <&3; kill -KILL $$) & exec "$@" 3<&- </dev/null';

/** A real program that runs as long as a test needs it, with its output in a file. */
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

    /** Kills it, and waits until it has exited. */
    async stop(): Promise<void> {
        if (this.hasEnded) return;
        const ended = new Promise((resolve) => this.child?.once("exit", resolve));
        this.kill();
        await ended;
    }

    kill(): void {
        this.child?.kill("SIGKILL");
    }

    private get hasEnded(): boolean {
        return !this.child || this.child.exitCode !== null || this.child.signalCode !== null;
    }

    /** Waits until `isUp`. @throws with the last lines of its output if it exits or takes too long */
    async until(isUp: () => Promise<boolean>, seconds: number): Promise<void> {
        const end = Date.now() + seconds * 1000;
        while (!(await isUp().catch(() => false))) {
            if (this.hasEnded || Date.now() > end) {
                const lines = readFileSync(this.log, "utf8").trim().split("\n").slice(-15);
                throw new Error(`${this.path} did not start within ${seconds} s:\n${lines.join("\n")}`);
            }
            await sleep(50);
        }
    }
}
