import { type ChildProcess, spawn } from "node:child_process";
import type { Operation } from "../protocol/serve";
import type { CommandInputs } from "./inputs";

export interface CommandOutputs {
    readonly stdout: string;
    readonly stderr: string;
}

const KILL_AFTER_MILLISECONDS = 2000;
const running = new Set<ChildProcess>();

// No command may outlive this process, however it ends.
process.on("exit", () => {
    for (const child of running) signalGroup(child, "SIGKILL");
});

/** Runs a command to completion and logs its output line by line to the engine. */
export async function run(
    command: string,
    inputs: CommandInputs,
    previous: CommandOutputs,
    { log, signal }: Pick<Operation, "log" | "signal">,
): Promise<CommandOutputs> {
    signal.throwIfAborted();
    const [program, ...args] = [...(inputs.interpreter?.length ? inputs.interpreter : ["/bin/sh", "-c"]), command];
    const { logging = "stdoutAndStderr" } = inputs;
    // In its own process group, so that cancelling a command kills all its children.
    const child = spawn(program, args, {
        cwd: inputs.dir,
        env: { ...process.env, ...inputs.environment, ...previousOutput(inputs, previous) },
        detached: true,
        stdio: ["pipe", "pipe", "pipe"],
    });
    child.stdin.on("error", () => {}); // A command need not read its input.
    child.stdin.end(inputs.stdin ?? "");

    const output = { stdout: "", stderr: "", both: "" };
    for (const stream of ["stdout", "stderr"] as const) {
        const isLogged = logging === "stdoutAndStderr" || logging === stream;
        const feed = lines((line) => isLogged && log.info(line));
        child[stream].setEncoding("utf8");
        child[stream].on("data", (text: string) => {
            output[stream] += text;
            output.both += text;
            feed.write(text);
        });
        child[stream].once("close", () => feed.end());
    }

    const failure = await ended(child, signal);
    if (failure) throw new Error(`${failure}: running ${JSON.stringify(command)}:\n${output.both}`);
    return { stdout: output.stdout.replace(/\n$/, ""), stderr: output.stderr.replace(/\n$/, "") };
}

function previousOutput({ addPreviousOutputInEnv = true }: CommandInputs, { stdout, stderr }: CommandOutputs) {
    if (!addPreviousOutputInEnv) return {};
    return {
        ...(stdout && { PULUMI_COMMAND_STDOUT: stdout }),
        ...(stderr && { PULUMI_COMMAND_STDERR: stderr }),
    };
}

/** Resolves to the error, in the wording of the official provider. */
function ended(child: ChildProcess, signal: AbortSignal): Promise<string | undefined> {
    return new Promise((resolve) => {
        let kill: NodeJS.Timeout | undefined;
        const stop = () => {
            signalGroup(child, "SIGTERM");
            kill = setTimeout(() => {
                signalGroup(child, "SIGKILL");
                settle("signal: SIGKILL");
            }, KILL_AFTER_MILLISECONDS);
        };
        const settle = (failure?: string) => {
            clearTimeout(kill);
            running.delete(child);
            signal.removeEventListener("abort", stop);
            resolve(signal.aborted ? `cancelled${failure ? ` (${failure})` : ""}` : failure);
        };
        running.add(child);
        signal.addEventListener("abort", stop, { once: true });
        child.once("error", (error) => settle(error.message));
        // Done when its output ends, which background processes that it started may hold open.
        child.once("close", (code, killedBy) => {
            if (killedBy) settle(`signal: ${killedBy}`);
            else settle(code ? `exit status ${code}` : undefined);
        });
    });
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
    try {
        if (child.pid) process.kill(-child.pid, signal);
    } catch {
        // It has exited already.
    }
}

/** Splits a stream of text into lines; `end` emits the last one if it has no newline. */
export function lines(onLine: (line: string) => void): { write(text: string): void; end(): void } {
    let rest = "";
    return {
        write(text) {
            const parts = (rest + text).split("\n");
            rest = parts.pop()!;
            for (const line of parts) onLine(line.replace(/\r$/, ""));
        },
        end() {
            if (rest) onLine(rest);
            rest = "";
        },
    };
}
