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
    /** Number of created, updated, replaced and deleted resources. */
    readonly changes: number;
    readonly timings: readonly TimedStage[];
    readonly operations: readonly Operation[];
}

const REMIND_MS = 15_000;

/** Runs `pulumi up`, after cleaning up after an interrupted run. */
export async function up(state: ClusterState, say: (line: string) => void): Promise<UpResult> {
    await ensureStack(state);
    await makeResumable(state, say);
    return operate(state, ["up", "--skip-preview", "--yes", "--config-file", state.config], say);
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
    readonly pid: number;
    readonly hostname: string;
}

const WAIT_MS = 60_000;

/**
 * Cleans up a stack after a killed run: removes the lock of a dead process, and drops pending operations, because all of
 * ours can safely be repeated.
 */
export async function makeResumable(state: ClusterState, say: (line: string) => void): Promise<void> {
    mendBackend(state, say);
    if (!hasStack(state)) {
        return;
    }
    await waitForHolders(state, say);
    if (locks(state).length > 0) {
        say("the previous run was killed: removing its lock");
        await pulumi(state, ["cancel", "--yes"]);
    }
    await forgetPending(state, say);
}

/** The same, if the lock of a killed run is in the way and no other run is in progress. */
export async function resumeAfterKill(state: ClusterState, say: (line: string) => void): Promise<void> {
    const all = locks(state);
    if (all.length > 0 && !all.some((lock) => isHeld(lock))) await makeResumable(state, say);
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
    return files.map((file) => JSON.parse(readFileSync(join(dir, file), "utf8")));
}

async function forgetPending(state: ClusterState, say: (line: string) => void): Promise<void> {
    const stored = JSON.parse(readFileSync(join(state.backend, `.pulumi/stacks/tradewind/${state.name}.json`), "utf8"));
    const pending = stored.checkpoint?.latest?.pending_operations ?? [];
    if (pending.length === 0) {
        return;
    }
    const names = pending.map(({ resource }: { resource: { urn: string } }) => resource.urn.split("::").at(-1));
    say(`the previous run was killed during operations on ${names.join(", ")}: repeating them`);
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
