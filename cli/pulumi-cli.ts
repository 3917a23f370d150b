import { execFile, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { handOnInterrupts, Interrupted } from "./interrupt";
import { PROJECT_DIR, pulumiCli, pulumiEnv } from "./pulumi-env";
import type { ClusterState } from "./state";

/** Runs the Pulumi CLI and resolves to its standard output. */
export async function pulumi(state: ClusterState, args: readonly string[], cwd = PROJECT_DIR): Promise<string> {
    const options = { cwd, env: pulumiEnv(state, args), maxBuffer: 256 * 1024 * 1024 };
    try {
        return (await promisify(execFile)(pulumiCli(), ["--non-interactive", ...args], options)).stdout;
    } catch (error) {
        const { stderr, stdout, message } = error as Error & { stderr?: string; stdout?: string };
        throw new Error(`pulumi ${args.slice(0, 2).join(" ")} failed: ${(stderr || stdout || message).trim()}`);
    }
}

/**
 * Runs an operation of the Pulumi CLI, with each line it prints handed on as it comes.
 * It has a process group of its own, so that Ctrl-C reaches it only through us.
 *
 * @param env - variables besides those of every command
 */
export async function pulumiOperation(
    state: ClusterState,
    args: readonly string[],
    onLine: (line: string) => void,
    env: NodeJS.ProcessEnv = {},
): Promise<void> {
    const all = [...args, "--non-interactive", "--color", "never"];
    const child = spawn(pulumiCli(), all, {
        cwd: PROJECT_DIR,
        env: { ...pulumiEnv(state, args), ...env },
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
    });
    const stop = handOnInterrupts(child, () =>
        onLine("stopping: what is at work now is let finish or is cancelled; Ctrl-C again ends it at once"),
    );
    for (const stream of [child.stdout, child.stderr]) {
        createInterface({ input: stream }).on("line", onLine);
    }
    const exitCode = await new Promise((resolve, reject) => {
        child.on("error", reject);
        child.on("close", resolve);
    }).finally(() => {
        if (stop()) {
            throw new Interrupted();
        }
    });
    if (exitCode !== 0) {
        throw new Error(`pulumi ${args[0]} failed (exit code ${exitCode}): what it said is above`);
    }
}
