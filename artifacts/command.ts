import { type ChildProcess, spawn } from "node:child_process";

export interface CommandOptions {
    readonly cwd?: string;
    /** Added to this process's environment. */
    readonly env?: Readonly<Record<string, string>>;
}

const running = new Set<ChildProcess>();

/** Stops the child processes when this process exits, as nothing needs their output then. */
function stopRunning(): void {
    for (const child of running) {
        child.kill();
    }
}

/** Runs a program without a shell; resolves to its standard output, rejects with the end of its output. */
export function run(program: string, args: readonly string[], { cwd, env }: CommandOptions = {}): Promise<string> {
    return new Promise((resolve, reject) => {
        const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
        running.add(child);
        if (!process.listeners("exit").includes(stopRunning)) {
            process.on("exit", stopRunning);
        }
        const output: Buffer[] = [];
        const printed: Buffer[] = [];
        child.stdout.on("data", (chunk) => output.push(chunk) && printed.push(chunk));
        child.stderr.on("data", (chunk) => printed.push(chunk));
        child.on("error", (error) => reject(new Error(`cannot run ${program}: ${error.message}`)));
        child.on("close", (code, signal) => {
            running.delete(child);
            if (code === 0) {
                resolve(Buffer.concat(output).toString());
            } else {
                const end = Buffer.concat(printed).toString().trimEnd().split("\n").slice(-20).join("\n");
                reject(new Error(`${program} ${args.join(" ")} exited with ${signal ?? code}:\n${end}`));
            }
        });
    });
}
