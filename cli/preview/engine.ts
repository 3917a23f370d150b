import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { previewOf, type Told } from "./events";
import { type ConfigChange, hasConfigs, machineConfigs, type Plan } from "./machine-configs";
import { ofEvents } from "./read-events";
import type { Previewed } from "./render/comment";
import { type Ended, type Engine, runForPlan, runPulumi } from "./run-pulumi";

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
