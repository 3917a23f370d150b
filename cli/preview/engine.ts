import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { orInterrupted } from "../../command-line/interrupt";
import { parseExport } from "../reach/stack-record";
import { type EngineEvents, ofEvents, previewOf } from "./events";
import { type ConfigChange, hasConfigs, machineConfigs, type Plan } from "./machine-configs";
import type { Previewed } from "./render/comment";

/** For runs that no one watches. */
export const unattended = ["--non-interactive", "--color", "never"];

interface PreviewOptions {
    /** Compares node configs, and then handles secrets. @default false */
    readonly nodeConfigs?: boolean;
    /** Compares with what exists, not with the state. @default false */
    readonly refresh?: boolean;
}

/**
 * Previews a stack. The comment is built from the event log, in which Pulumi hides secrets.
 *
 * Node configs are secret as a whole: with `nodeConfigs`, Pulumi passes them through a pipe in plain text. They do not
 * leave this process, which only extracts their differences.
 */
export async function previewStack(
    stack: string,
    engine: Engine,
    { nodeConfigs = false, refresh = false }: PreviewOptions = {},
): Promise<Previewed> {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-preview-"));
    try {
        const log = join(folder, "events.jsonl");
        const args = ["preview", ...engine.stack, ...engine.config, ...unattended, ...(refresh ? ["--refresh"] : [])];
        // The event log is a debugging option.
        const debugging = { ...engine, env: { ...engine.env, PULUMI_DEBUG_COMMANDS: "true" } };
        const runEngine = nodeConfigs ? runForPlan : runPulumi;
        const run = await orInterrupted(() => runEngine(debugging, [...args, "--event-log", log]));
        const events = ofEvents(eventsIn(log));
        const preview = events.steps.length + events.diagnostics.length > 0 ? previewOf(events, stack) : undefined;
        const failure = run.exitCode === 0 && events.isComplete ? undefined : reasonOf(events, run);
        const configs = nodeConfigs && failure === undefined ? await configsOf(engine, run.stdout) : [];
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
    return machineConfigs(plan, parseExport(stdout));
}

/** The comment is created without them. */
function unknownConfigs(reason: string): readonly ConfigChange[] {
    process.stderr.write(`node configs are not compared: ${reason}\n`);
    return [];
}

function parsed(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}

/** Why it failed, if the diagnostics do not say so. */
function reasonOf({ diagnostics }: EngineEvents, { stderr, exitCode }: Ended): string {
    if (diagnostics.some(({ severity }) => severity === "error")) return "";
    const said = stderr.trim().split("\n").slice(-20).join("\n");
    return said || `pulumi preview exited with code ${exitCode}`;
}

function eventsIn(path: string): Record<string, unknown>[] {
    try {
        const lines = readFileSync(path, "utf8").split("\n");
        return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
    } catch {
        // The preview failed before it wrote the file.
        return [];
    }
}

/** How to run the Pulumi CLI for a stack. */
export interface Engine {
    readonly program: string;
    readonly cwd: string;
    readonly env: NodeJS.ProcessEnv;
    /** Options that select the stack, and its configuration, for commands that read it. */
    readonly stack: readonly string[];
    readonly config: readonly string[];
}

interface Ended {
    readonly exitCode: number;
    readonly stdout: string;
    readonly stderr: string;
}

/** Runs the CLI and captures its output. */
function runPulumi({ program, cwd, env }: Engine, args: readonly string[]): Promise<Ended> {
    return ended(program, args, cwd, env);
}

/** The CLI writes its plan here, so that it comes out on standard output and is never stored in a file. */
const planPath = "/dev/fd/4";

/** Runs a preview. @returns the plan as standard output, with secrets in plain text */
async function runForPlan({ program, cwd, env }: Engine, args: readonly string[]): Promise<Ended> {
    // Uses a shell pipe: Node's pipes are sockets, which cannot be opened by path.
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
            reject(error.code === "ENOENT" ? new Error(`${program} is not on PATH`) : error),
        );
        child.once("close", (code) => {
            const [stdout = "", stderr = "", status] = texts;
            const exitCode = status ? Number(status) : (code ?? 1);
            // The shell's exit code for a missing command.
            if (exitCode === 127) reject(new Error("pulumi is not on PATH"));
            resolve({ exitCode, stdout, stderr });
        });
    });
}
