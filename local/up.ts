import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Interrupted } from "../command-line/interrupt";
import { writePrivate } from "../command-line/private-file";
import { pulumi, pulumiOperation } from "./pulumi";
import { ensureStack, hasStack } from "./stack";
import type { ClusterState } from "./state";
import { type Operation, type TimedStage, UpOutput } from "./up-output";

export interface UpResult {
    /** How many resources were created, updated, replaced or deleted. */
    readonly changes: number;
    readonly timings: readonly TimedStage[];
    readonly operations: readonly Operation[];
}

const REMIND_MS = 15_000;

/** Brings the stack to what its program and its configuration say, going on after a run that was stopped. */
export async function up(state: ClusterState, say: (line: string) => void): Promise<UpResult> {
    await ensureStack(state);
    await makeResumable(state, say);
    return operate(state, ["up", "--skip-preview", "--yes", "--config-file", state.config], say);
}

/** Runs an operation and shows it as it goes; of a failed one, what Pulumi has to say about it too. @param env - more variables */
export async function operate(
    state: ClusterState,
    args: readonly string[],
    say: (line: string) => void,
    env: NodeJS.ProcessEnv = {},
): Promise<UpResult> {
    const output = new UpOutput();
    const reminder = setInterval(
        () => say(`still at work: ${[...output.running].join(", ") || "starting"}`),
        REMIND_MS,
    );
    try {
        const show = (line: string) => {
            const shown = output.take(line);
            if (shown !== undefined) {
                say(shown);
                reminder.refresh();
            }
        };
        await pulumiOperation(state, args, show, env);
    } catch (error) {
        for (const line of error instanceof Interrupted ? [] : output.diagnostics) {
            say(line);
        }
        throw error;
    } finally {
        clearInterval(reminder);
    }
    return output;
}

/**
 * Makes a backend readable again after a crash or a power cut in the middle of a write: the engine's copy of the
 * stack from just before takes the place of one that was not written whole, and half-written sidecar files go.
 */
export function mendBackend({ backend, name }: ClusterState, say: (line: string) => void): void {
    const dir = join(backend, ".pulumi/stacks/tradewind");
    const stack = join(dir, `${name}.json`);
    if (!existsSync(dir)) {
        return;
    }
    for (const file of readdirSync(dir).filter((file) => file.endsWith(".attrs") && !isWhole(join(dir, file)))) {
        rmSync(join(dir, file));
    }
    // One that is gone was removed: the engine replaces it by a rename.
    if (!existsSync(stack) || isWhole(stack) || !isWhole(`${stack}.bak`)) {
        return;
    }
    say("the stack's state was not written whole: going on from the engine's copy of it");
    copyFileSync(`${stack}.bak`, `${stack}.mended`);
    renameSync(`${stack}.mended`, stack);
}

function isWhole(path: string): boolean {
    try {
        JSON.parse(readFileSync(path, "utf8"));
        return true;
    } catch {
        return false;
    }
}

/** Who holds the stack, as the `file://` backend writes it down. */
interface Lock {
    readonly pid: number;
    readonly hostname: string;
}

const WAIT_MS = 60_000;

/**
 * Makes a stack ready to go on after a run that was killed: a lock whose holder is gone goes, and operations that it
 * left half done are forgotten, since each of ours can be done again over what is there.
 */
export async function makeResumable(state: ClusterState, say: (line: string) => void): Promise<void> {
    mendBackend(state, say);
    if (!hasStack(state)) {
        return;
    }
    await waitForHolders(state, say);
    if (locks(state).length > 0) {
        say("the run before was killed: taking away its lock");
        await pulumi(state, ["cancel", "--yes"]);
    }
    await forgetPending(state, say);
}

/** The same, where the lock of a killed run is in the way and no other run is at work. */
export async function resumeAfterKill(state: ClusterState, say: (line: string) => void): Promise<void> {
    const all = locks(state);
    if (all.length > 0 && !all.some((lock) => isHeld(lock))) await makeResumable(state, say);
}

/** A run that is killed leaves an engine behind that may still be at work: two must not be at once. */
async function waitForHolders(state: ClusterState, say: (line: string) => void): Promise<void> {
    const deadline = Date.now() + WAIT_MS;
    for (let isFirst = true; ; isFirst = false) {
        const holder = locks(state).find((lock) => isHeld(lock));
        if (!holder) {
            return;
        }
        if (Date.now() > deadline || holder.hostname !== hostname()) {
            throw new Error(
                `another run is at work on the cluster ${state.name} (process ${holder.pid} on ${holder.hostname}): ` +
                    `wait for it; if it is over: npm run pulumi -- cancel --yes --name ${state.name}`,
            );
        }
        if (isFirst) {
            say(`another run (process ${holder.pid}) is at work on this cluster: waiting for it to end`);
        }
        await sleep(500);
    }
}

/** True if the holder may be alive: one on another host always may. */
export function isHeld({ pid, hostname: host }: Lock): boolean {
    if (host !== hostname()) {
        return true;
    }
    try {
        process.kill(pid, 0);
    } catch (error) {
        return (error as NodeJS.ErrnoException).code === "EPERM";
    }
    // Process ids are used again: where it can be told, it must still be Pulumi.
    const comm = `/proc/${pid}/comm`;
    return !existsSync(comm) || readFileSync(comm, "utf8").startsWith("pulumi");
}

function locks({ backend, name }: ClusterState): Lock[] {
    const dir = join(backend, ".pulumi/locks/organization/tradewind", name);
    const files = existsSync(dir) ? readdirSync(dir).filter((file) => file.endsWith(".json")) : [];
    return files.map((file) => JSON.parse(readFileSync(join(dir, file), "utf8")));
}

async function forgetPending(state: ClusterState, say: (line: string) => void): Promise<void> {
    const stored = JSON.parse(readFileSync(join(state.backend, `.pulumi/stacks/tradewind/${state.name}.json`), "utf8"));
    const pending = stored.checkpoint?.latest?.pending_operations ?? [];
    if (pending.length === 0) {
        return;
    }
    const names = pending.map(({ resource }: { resource: { urn: string } }) => resource.urn.split("::").at(-1));
    say(`the run before was killed while at work on ${names.join(", ")}: doing that again`);
    const exported = JSON.parse(await pulumi(state, ["stack", "export"]));
    delete exported.deployment.pending_operations;
    const file = join(state.dir, "resume.json");
    writePrivate(file, JSON.stringify(exported));
    try {
        await pulumi(state, ["stack", "import", "--file", file]);
    } finally {
        rmSync(file);
    }
}
