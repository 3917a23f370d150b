import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Interrupted } from "../command-line/interrupt";
import { writePrivate } from "../command-line/private-file";
import { lostCreates, lostCreatesAdvice, type PendingOperation } from "./pending";
import { pulumi, pulumiJson, pulumiOperation } from "./pulumi";
import { ensureStack, hasStack, latestOf } from "./stack";
import type { ClusterState } from "./state";
import { type Operation, type TimedStage, UpOutput } from "./up-output";

export interface UpResult {
    /** Number of created, updated, replaced and deleted resources. */
    readonly changes: number;
    readonly timings: readonly TimedStage[];
    readonly operations: readonly Operation[];
}

const REMIND_MS = 15_000;

/**
 * Runs `pulumi up`, after cleaning up after an interrupted run.
 *
 * @param discardsData - whether machines may be removed although volumes on their disks hold data
 */
export async function up(state: ClusterState, say: (line: string) => void, discardsData = false): Promise<UpResult> {
    await ensureStack(state);
    await makeResumable(state, say);
    const args = ["up", "--skip-preview", "--yes", "--config-file", state.config];
    let isAboutData = false;
    const show = (line: string) => {
        isAboutData ||= /upgradeOverrides: \[.*local-data/.test(line);
        say(line);
    };
    try {
        return await operate(state, args, show, discardsData ? { TRADEWIND_DISCARD_LOCAL_DATA: "true" } : {});
    } catch (error) {
        if (isAboutData) say("to lose the data once, add --discard-local-data to this command");
        throw error;
    }
}

/** Runs an operation and shows its progress and, if it fails, Pulumi's diagnostics. @param env - additional variables */
export async function operate(
    state: ClusterState,
    args: readonly string[],
    say: (line: string) => void,
    env: NodeJS.ProcessEnv = {},
): Promise<UpResult> {
    const output = new UpOutput();
    const reminder = setInterval(
        () => say(`still running: ${[...output.running].join(", ") || "starting"}`),
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
 * Repairs a backend after a crash or power cut during a write: replaces an incomplete stack file by Pulumi's previous copy,
 * and removes incomplete sidecar files.
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
    // A missing file was removed on purpose: Pulumi replaces it with a rename.
    if (!existsSync(stack) || isWhole(stack) || !isWhole(`${stack}.bak`)) {
        return;
    }
    say("the stack's state file is incomplete: using Pulumi's backup");
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

/** The holder of the lock, as the `file://` backend stores it. */
interface Lock {
    /** @default - unknown, because the lock is damaged */
    readonly pid?: number;
    readonly hostname: string;
}

const WAIT_MS = 60_000;

/**
 * Cleans up a stack after a killed run: removes the lock of a dead process, and drops pending operations that can be
 * repeated.
 *
 * @param next - whether the next run changes the stack or destroys it
 * @throws Error before a change, if the killed run was creating something in an account: repeating it would create a
 * second one. A destroy keeps such creations in the state.
 */
export async function makeResumable(
    state: ClusterState,
    say: (line: string) => void,
    next: "change" | "destroy" = "change",
): Promise<void> {
    mendBackend(state, say);
    if (!hasStack(state)) {
        return;
    }
    await releaseLock(state, say);
    await forgetPending(state, say, next);
}

async function releaseLock(state: ClusterState, say: (line: string) => void): Promise<void> {
    await waitForHolders(state, say);
    if (locks(state).length > 0) {
        say("the previous run was killed: removing its lock");
        await pulumi(state, ["cancel", "--yes"]);
    }
}

/**
 * The same, if the lock of a killed run is in the way and no other run is in progress.
 *
 * @param next - `refresh`: Pulumi itself resolves what is pending
 */
export async function resumeAfterKill(
    state: ClusterState,
    say: (line: string) => void,
    next: "change" | "destroy" | "refresh",
): Promise<void> {
    const all = locks(state);
    if (all.some((lock) => isHeld(lock))) return;
    mendBackend(state, say);
    if (next === "refresh") {
        if (all.length > 0) await releaseLock(state, say);
        return;
    }
    const hasLost = hasStack(state) && lostCreates(pendingOf(state)).length > 0;
    if (all.length > 0 || hasLost) await makeResumable(state, say, next);
}

/** A killed run may leave a Pulumi process behind that is still working: two must not run at once. */
async function waitForHolders(state: ClusterState, say: (line: string) => void): Promise<void> {
    const deadline = Date.now() + WAIT_MS;
    for (let isFirst = true; ; isFirst = false) {
        const holder = locks(state).find((lock) => isHeld(lock));
        if (!holder) {
            return;
        }
        if (Date.now() > deadline || holder.hostname !== hostname()) {
            throw new Error(
                `another run is changing the cluster ${state.name} (process ${holder.pid} on ${holder.hostname}): ` +
                    `wait for it; if it has ended, run npm run pulumi -- cancel --yes --name ${state.name}`,
            );
        }
        if (isFirst) {
            say(`waiting for another run on this cluster to end (process ${holder.pid})`);
        }
        await sleep(500);
    }
}

/** Whether the holder may be alive: on another host this is unknown. */
export function isHeld({ pid, hostname: host }: Lock): boolean {
    if (host !== hostname()) {
        return true;
    }
    if (pid === undefined) return false;
    try {
        process.kill(pid, 0);
    } catch (error) {
        return (error as NodeJS.ErrnoException).code === "EPERM";
    }
    // Process IDs are reused: if possible, check that it is still Pulumi.
    const comm = `/proc/${pid}/comm`;
    return !existsSync(comm) || readFileSync(comm, "utf8").startsWith("pulumi");
}

function locks({ backend, name }: ClusterState): Lock[] {
    const dir = join(backend, ".pulumi/locks/organization/tradewind", name);
    const files = existsSync(dir) ? readdirSync(dir).filter((file) => file.endsWith(".json")) : [];
    return files.flatMap((file) => lockIn(join(dir, file)));
}

/** None if its run has ended meanwhile. What a power cut has damaged has no holder any more. */
function lockIn(path: string): Lock[] {
    try {
        const { pid, hostname: host }: Lock = JSON.parse(readFileSync(path, "utf8"));
        return [{ pid, hostname: host }];
    } catch {
        return existsSync(path) ? [{ hostname: hostname() }] : [];
    }
}

/** What was in progress when the last run ended. */
function pendingOf(state: ClusterState): readonly PendingOperation[] {
    return latestOf(state).pending_operations ?? [];
}

async function forgetPending(
    state: ClusterState,
    say: (line: string) => void,
    next: "change" | "destroy",
): Promise<void> {
    const pending = pendingOf(state);
    const lost = lostCreates(pending);
    if (lost.length > 0) {
        const advice = lostCreatesAdvice(state, lost);
        if (next === "change") throw new Error(advice);
        // An import would drop all of them; a destroy by Pulumi 3.245 keeps creations and drops the others.
        return say(advice);
    }
    if (pending.length === 0) {
        return;
    }
    const names = pending.map(({ resource }) => resource.urn.split("::").at(-1));
    say(`the previous run was killed during operations on ${names.join(", ")}: repeating them`);
    const exported = await pulumiJson<{ deployment: { pending_operations?: unknown } }>(state, ["stack", "export"]);
    delete exported.deployment.pending_operations;
    const file = join(state.dir, "resume.json");
    writePrivate(file, JSON.stringify(exported));
    try {
        await pulumi(state, ["stack", "import", "--file", file]);
    } finally {
        rmSync(file);
    }
}
