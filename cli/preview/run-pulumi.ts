import { spawn } from "node:child_process";

/** How the Pulumi CLI is run on a stack. */
export interface Engine {
    readonly program: string;
    readonly cwd: string;
    readonly env: NodeJS.ProcessEnv;
    /** By which it finds the stack; beside them its configuration, for commands that read it. */
    readonly stack: readonly string[];
    readonly config: readonly string[];
}

export interface Ended {
    readonly exitCode: number;
    readonly stdout: string;
    readonly stderr: string;
}

/** Runs the CLI, and keeps what it prints in memory. */
export function runPulumi({ program, cwd, env }: Engine, args: readonly string[]): Promise<Ended> {
    return ended(program, args, cwd, env);
}

/** Where the CLI writes its plan, so that it comes out of standard output and is never a file. */
const planPath = "/dev/fd/4";

/** Runs a preview. @returns as standard output, the plan with its secrets in plain text */
export async function runForPlan({ program, cwd, env }: Engine, args: readonly string[]): Promise<Ended> {
    // A pipe of the shell's: those of Node are sockets, which cannot be opened by such a path.
    const script = '{ "$@" 4>&1 >/dev/null 3>&-; echo $? >&3; } | cat';
    const all = ["-c", script, "sh", program, ...args, "--show-secrets", "--save-plan", planPath];
    return ended("sh", all, cwd, env);
}

function ended(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Ended> {
    const child = spawn(program, [...args], { cwd, env, stdio: ["ignore", "pipe", "pipe", "pipe"] });
    const texts = ["", "", ""];
    [child.stdout, child.stderr, child.stdio[3]].forEach((stream, index) => {
        (stream as NodeJS.ReadableStream).setEncoding("utf8").on("data", (text: string) => {
            texts[index] += text;
        });
    });
    return new Promise((resolve, reject) => {
        child.once("error", (error: NodeJS.ErrnoException) =>
            reject(error.code === "ENOENT" ? new Error(`there is no ${program} on PATH`) : error),
        );
        child.once("close", (code) => {
            const [stdout = "", stderr = "", status] = texts;
            const exitCode = status ? Number(status) : (code ?? 1);
            // As a shell says it.
            if (exitCode === 127) reject(new Error("there is no pulumi on PATH"));
            resolve({ exitCode, stdout, stderr });
        });
    });
}
