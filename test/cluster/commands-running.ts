import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

interface Running {
    readonly what: string;
    readonly since: number;
    said: string;
}

const running = new Set<Running>();

/** Runs a program to completion. Failures meanwhile can include its progress. */
export async function runTold(
    what: string,
    program: string,
    args: readonly string[],
    options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly maxBuffer: number },
): Promise<{ readonly stdout: string; readonly stderr: string }> {
    const entry = { what, since: Date.now(), said: "" };
    running.add(entry);
    try {
        const child = run(program, [...args], options);
        for (const output of [child.child.stdout, child.child.stderr]) {
            output?.on("data", (chunk) => {
                entry.said = (entry.said + chunk).slice(-4000);
            });
        }
        return await child;
    } finally {
        running.delete(entry);
    }
}

/** How long each running program has been running, and its last lines of output. */
export function stillRunning(lines = 6, now = Date.now()): string[] {
    return [...running].map(({ what, since, said }) => {
        const last = said
            .split("\n")
            .filter((line) => line.trim() !== "")
            .slice(-lines);
        return [`${what} has run for ${((now - since) / 1000).toFixed(0)} s, and last printed:`, ...last].join("\n");
    });
}
