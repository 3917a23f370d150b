import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Belongs } from "../../cluster/machine-clock/held-clock";

const mark = "TRADEWIND_CLOCK_WITNESS";

/** Programs that report the time they see, and whose clock is moved separately from all others. */
export class Witnesses {
    readonly #value = randomBytes(8).toString("hex");
    readonly #children: ChildProcess[] = [];

    /** True for these programs, and for those that they start. */
    readonly belongs: Belongs = (folder) => {
        try {
            return readFileSync(`${folder}/environ`, "latin1").includes(`${mark}=${this.#value}\0`);
        } catch {
            // For a program that may do more than this one, or that has exited.
            return false;
        }
    };

    start(command: string, ...args: readonly string[]): ChildProcess {
        const env = { ...process.env, [mark]: this.#value };
        const child = spawn(command, args, { env, stdio: ["pipe", "pipe", "inherit"] });
        this.#children.push(child);
        return child;
    }

    /**
     * Starts a program that answers each line with a line; resolves to a function that queries it, after the first
     * answer.
     */
    async ask(command: string, ...args: readonly string[]): Promise<() => Promise<readonly number[]>> {
        const child = this.start(command, ...args);
        const lines = createInterface({ input: child.stdout! });
        const ask = async () => {
            child.stdin!.write("\n");
            const [line] = await once(lines, "line");
            return String(line).split(" ").map(Number);
        };
        await ask();
        return ask;
    }

    async end(): Promise<void> {
        for (const child of this.#children) {
            if (child.exitCode === null && child.signalCode === null && child.kill("SIGKILL"))
                await once(child, "exit");
        }
    }
}
