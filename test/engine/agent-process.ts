import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentName, bundleAgent } from "../../bundling/agents";

export interface AgentRun {
    readonly exit: number | string;
    readonly output: string;
}

/** Ways to run an agent as its own process. @param crashing - runs it, and kills it at an event */
export function agentProcess(name: AgentName, crashing: string) {
    let program: string | undefined;
    const startAgent = (...args: string[]) => {
        program ??= writeProgram(name);
        return start([program, ...args]);
    };
    return {
        startAgent,
        /** Runs the bundled agent as its pod does. */
        runAgent: (...args: string[]) => startAgent(...args).ended,
        /**
         * Runs the agent until it reports an event, such as `add-learner:done`, at which it kills itself with SIGKILL.
         */
        runUntilCrash: (plan: string, at: string) => start(["--require", "tsx/cjs", crashing, plan, at]).ended,
    };
}

function start(args: readonly string[]) {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
        stream.on("data", (chunk) => {
            output += chunk;
        });
    }
    const ended = new Promise<AgentRun>((resolve) =>
        child.on("close", (code, signal) => resolve({ exit: code ?? signal ?? "unknown", output })),
    );
    return { child, ended };
}

function writeProgram(name: AgentName): string {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-agent-"));
    process.once("exit", () => rmSync(folder, { recursive: true }));
    const path = join(folder, `${name}.js`);
    writeFileSync(path, bundleAgent(name));
    return path;
}
