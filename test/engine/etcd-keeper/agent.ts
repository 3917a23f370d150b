import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleAgent } from "../../../agents/bundle";

export interface AgentRun {
    readonly exit: number | string;
    readonly output: string;
}

let program: string | undefined;

/** Starts the bundled agent as its own process, as a pod does. */
export function startAgent(verb: string, plan: string): { child: ChildProcess; ended: Promise<AgentRun> } {
    program ??= writeProgram();
    return start([program, verb, plan]);
}

export function runAgent(verb: string, plan: string): Promise<AgentRun> {
    return startAgent(verb, plan).ended;
}

/** Restores until the agent has told of an event, such as `swap-data:start`, at which it kills itself by SIGKILL. */
export function restoreUntilCrash(plan: string, at: string): Promise<AgentRun> {
    return start(["--require", "tsx/cjs", join(__dirname, "crashing-restore.ts"), plan, at]).ended;
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

function writeProgram(): string {
    const path = join(mkdtempSync(join(tmpdir(), "tradewind-etcd-keeper-")), "etcd-keeper.js");
    writeFileSync(path, bundleAgent("etcd-keeper"));
    return path;
}
