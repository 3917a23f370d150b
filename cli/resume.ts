import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { mendBackend } from "./mend-backend";
import { writePrivate } from "./private-file";
import { pulumi } from "./pulumi-cli";
import { hasStack } from "./stack";
import type { ClusterState } from "./state";

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
