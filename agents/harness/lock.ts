import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, fchmodSync, fstatSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface Lock {
    /** Releases it before the process ends. */
    release(): void;
}

/**
 * Waits until no other agent holds the same lock: a file owned by root, in a directory owned by root on the host.
 *
 * The kernel ties it to the open file (flock), so it is released with the process, however that ends, and it works
 * across containers and the host. Only root can open the file and so take the lock.
 */
export async function takeLock(file: string, onWait: () => void): Promise<Lock> {
    for (let hasWaited = false; ; hasWaited = true) {
        const held = openLock(file);
        if ((await flock(held, "-x")) && isStillThere(held, file)) {
            return { release: () => closeSync(held) };
        }
        closeSync(held);
        if (!hasWaited) {
            onWait();
        }
        await sleep(200);
    }
}

/** Logs that an agent waits for a lock. @param who - the kind of agent that holds it */
export function logWait(who = "agent", log: (line: string) => void = console.log): () => void {
    return () => log(`another ${who} is running here; waiting for it to end`);
}

/** Whether a process holds the lock. */
export async function isLocked(file: string): Promise<boolean> {
    let opened: number;
    try {
        opened = openSync(file, "r");
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
        throw error;
    }
    try {
        return !(await flock(opened, "-s"));
    } finally {
        closeSync(opened);
    }
}

function openLock(file: string): number {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const opened = openSync(file, "a", 0o600);
    fchmodSync(opened, 0o600);
    return opened;
}

/** Locks the open file behind a descriptor and its copy in a child. It stays locked as long as it is open here. */
async function flock(opened: number, kind: "-x" | "-s"): Promise<boolean> {
    const child = spawn("flock", ["-n", kind, "3"], { stdio: ["ignore", "ignore", "pipe", opened] });
    let message = "";
    child.stderr!.on("data", (text) => (message += text));
    const [code, signal] = await once(child, "close");
    if (code === 0 || (code === 1 && message === "")) {
        return code === 0;
    }
    throw new Error(`flock exited with ${code ?? signal}: ${message.trim()}`);
}

/** A lock on a removed file is invisible to others. */
function isStillThere(opened: number, file: string): boolean {
    const now = statSync(file, { throwIfNoEntry: false });
    const { dev, ino } = fstatSync(opened);
    return now?.dev === dev && now.ino === ino;
}
