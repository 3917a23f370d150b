import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleAgent } from "../../../agents/bundle";

export interface AgentRun {
    readonly exit: number | string;
    readonly output: string;
}

let program: string | undefined;

/** Runs the bundled agent as its own process, as the Job does. */
export function runAgent(plan: string): Promise<AgentRun> {
    program ??= writeProgram();
    return run([program, plan]);
}

/** Runs the agent until it has told of an event, such as `drain:done`, at which it kills itself by SIGKILL. */
export function runUntilCrash(plan: string, at: string): Promise<AgentRun> {
    return run(["--require", "tsx/cjs", join(__dirname, "crashing-agent.ts"), plan, at]);
}

function run(args: readonly string[]): Promise<AgentRun> {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
        stream.on("data", (chunk) => {
            output += chunk;
        });
    }
    return new Promise((resolve) =>
        child.on("close", (code, signal) => resolve({ exit: code ?? signal ?? "unknown", output })),
    );
}

function writeProgram(): string {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-agent-"));
    process.once("exit", () => rmSync(folder, { recursive: true }));
    const path = join(folder, "node-removal.js");
    writeFileSync(path, bundleAgent("node-removal"));
    return path;
}
