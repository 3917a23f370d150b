import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StageEvent } from "../../../../../agents/boot/bootstrap/bootstrap";
import { bundleAgent } from "../../../../../bundling/agents";

let program: string | undefined;

/** The bundled agent as its own process, as a machine runs it. */
export class AgentProcess {
    readonly #child: ChildProcess;
    readonly exit: Promise<number | string>;
    output = "";

    /** @param killedIn - a step in which to kill it */
    constructor(plan: string, killedIn?: string) {
        program ??= writeProgram();
        const killer = killedIn === undefined ? [] : ["--require", join(__dirname, "kill-in-step.cjs")];
        const env = { ...process.env, ...(killedIn !== undefined && { KILL_IN_STEP: killedIn }) };
        this.#child = spawn(process.execPath, [...killer, program, plan], { stdio: ["ignore", "pipe", "pipe"], env });
        for (const stream of [this.#child.stdout, this.#child.stderr]) {
            stream?.on("data", (chunk) => {
                this.output += chunk;
            });
        }
        this.exit = new Promise((resolve) =>
            this.#child.on("close", (code, signal) => resolve(code ?? signal ?? "unknown")),
        );
    }

    end(signal: NodeJS.Signals = "SIGKILL"): Promise<number | string> {
        this.#child.kill(signal);
        return this.exit;
    }

    /** Resolves once the log has such an event, or the process has ended. */
    async until(log: string, step: string, event: StageEvent["event"]): Promise<void> {
        let isOver = false;
        void this.exit.then(() => {
            isOver = true;
        });
        while (!isOver && !readStages(log).some((line) => line.step === step && line.event === event)) {
            await new Promise((resolve) => setTimeout(resolve, 1));
        }
    }
}

/** The complete lines of a stage log. */
export function readStages(path: string): StageEvent[] {
    if (!existsSync(path)) {
        return [];
    }
    const lines = readFileSync(path, "utf8").split("\n");
    return lines.slice(0, -1).map((line) => JSON.parse(line));
}

function writeProgram(): string {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-agent-"));
    process.once("exit", () => rmSync(folder, { recursive: true }));
    const path = join(folder, "bootstrap.js");
    writeFileSync(path, bundleAgent("bootstrap"));
    return path;
}
