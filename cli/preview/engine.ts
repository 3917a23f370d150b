import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ofEvents, previewOf, type Told } from "./events";
import { type ConfigChange, hasConfigs, machineConfigs, type Plan } from "./machine-configs";
import type { Previewed } from "./render/comment";

/**
 * Previews a stack. The comment is made of the event log, in which the engine hides secrets.
 *
 * What machines boot with is secret as a whole: with `hasNodeConfigs` the engine tells it over a pipe, in plain text.
 * It stays in this process, and what is different between two configs is taken from it and nothing else.
 */
export async function previewStack(stack: string, engine: Engine, hasNodeConfigs: boolean): Promise<Previewed> {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-preview-"));
    try {
        const log = join(folder, "events.jsonl");
        const args = ["preview", ...engine.stack, ...engine.config, "--non-interactive", "--color", "never"];
        // The event log is an option for debugging.
        const debugging = { ...engine, env: { ...engine.env, PULUMI_DEBUG_COMMANDS: "true" } };
        const run = await (hasNodeConfigs ? runForPlan : runPulumi)(debugging, [...args, "--event-log", log]);
        const told = ofEvents(eventsIn(log));
        const preview = told.steps.length + told.diagnostics.length > 0 ? previewOf(told, stack) : undefined;
        const failure = run.exitCode === 0 && told.isComplete ? undefined : reasonOf(told, run);
        const configs = hasNodeConfigs && failure === undefined ? await configsOf(engine, run.stdout) : [];
        return { stack, ...(preview && { preview }), configs, ...(failure !== undefined && { failure }) };
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

async function configsOf(engine: Engine, text: string): Promise<readonly ConfigChange[]> {
    const plan = parsed(text) as Plan | undefined;
    if (plan === undefined) return unknownConfigs("pulumi preview wrote no plan");
    if (!hasConfigs(plan)) return [];
    const args = ["stack", "export", ...engine.stack, "--show-secrets", "--non-interactive"];
    const { exitCode, stdout, stderr } = await runPulumi(engine, args);
    if (exitCode !== 0) return unknownConfigs(`pulumi stack export failed: ${stderr.trim()}`);
    return machineConfigs(plan, JSON.parse(stdout));
}

/** The comment does without them. */
function unknownConfigs(reason: string): readonly ConfigChange[] {
    process.stderr.write(`what machines boot with is not compared: ${reason}\n`);
    return [];
}

function parsed(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}

/** Why it failed, where the diagnostics do not say it. */
function reasonOf({ diagnostics }: Told, { stderr, exitCode }: Ended): string {
    if (diagnostics.some(({ severity }) => severity === "error")) return "";
    const said = stderr.trim().split("\n").slice(-20).join("\n");
    return said || `pulumi preview ended with exit code ${exitCode}`;
}

function eventsIn(path: string): Record<string, unknown>[] {
    try {
        const lines = readFileSync(path, "utf8").split("\n");
        return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
    } catch {
        // It did not come as far.
        return [];
    }
}

/** How the Pulumi CLI is run on a stack. */
export interface Engine {
    readonly program: string;
    readonly cwd: string;
    readonly env: NodeJS.ProcessEnv;
    /** By which it finds the stack; beside them its configuration, for commands that read it. */
    readonly stack: readonly string[];
    readonly config: readonly string[];
}

interface Ended {
    readonly exitCode: number;
    readonly stdout: string;
    readonly stderr: string;
}

/** Runs the CLI, and keeps what it prints in memory. */
function runPulumi({ program, cwd, env }: Engine, args: readonly string[]): Promise<Ended> {
    return ended(program, args, cwd, env);
}

/** Where the CLI writes its plan, so that it comes out of standard output and is never a file. */
const planPath = "/dev/fd/4";

/** Runs a preview. @returns as standard output, the plan with its secrets in plain text */
async function runForPlan({ program, cwd, env }: Engine, args: readonly string[]): Promise<Ended> {
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
