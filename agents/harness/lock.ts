import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { closeSync, fchmodSync, fstatSync, mkdirSync, openSync, statSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface Lock {
    /** Gives it back before the process ends. */
    release(): Promise<void>;
}

export interface LockOptions {
    /** Whether agents of releases that knew the lock by an abstract socket may run at the same time, as in an update. @default false */
    readonly former?: boolean;
}

/** Milliseconds that an agent of an earlier release has to give way: it looks every two seconds. */
const formerMilliseconds = 5_000;

/**
 * Waits until no other agent works under the same lock: a file of root's, in a directory of root's on the host.
 *
 * The kernel holds it by the open file (flock), so it is freed with the process, however that ends, and it is the same for
 * containers and the host. Nothing but root can open the file, and so take the lock.
 */
export async function takeLock(file: string, onWait: () => void, { former }: LockOptions = {}): Promise<Lock> {
    for (let hasWaited = false; ; hasWaited = true) {
        const held = openLock(file);
        if ((await flock(held, "-x")) && isStillThere(held, file)) {
            const socket = former ? await takeFormer(file) : undefined;
            return {
                release: async () => {
                    closeSync(held);
                    if (socket) await new Promise((resolve) => socket.close(resolve));
                },
            };
        }
        closeSync(held);
        if (!hasWaited) {
            onWait();
        }
        await sleep(200);
    }
}

/** Whether some process holds the lock. */
export async function isLocked(file: string): Promise<boolean> {
    let seen: number;
    try {
        seen = openSync(file, "r");
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
        throw error;
    }
    try {
        return !(await flock(seen, "-s"));
    } finally {
        closeSync(seen);
    }
}

function openLock(file: string): number {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const opened = openSync(file, "a", 0o600);
    fchmodSync(opened, 0o600);
    return opened;
}

/** Locks what a file descriptor and its copy in a child have open: that stays locked as long as it is open here. */
async function flock(opened: number, kind: "-x" | "-s"): Promise<boolean> {
    const child = spawn("flock", ["-n", kind, "3"], { stdio: ["ignore", "ignore", "pipe", opened] });
    let message = "";
    child.stderr!.on("data", (text) => (message += text));
    const [code, signal] = await once(child, "close");
    if (code === 0 || (code === 1 && message === "")) {
        return code === 0;
    }
    throw new Error(`flock ended with ${code ?? signal}: ${message.trim()}`);
}

/** A file that was removed is a lock that others can't see. */
function isStillThere(opened: number, file: string): boolean {
    const now = statSync(file, { throwIfNoEntry: false });
    const { dev, ino } = fstatSync(opened);
    return now?.dev === dev && now.ino === ino;
}

/** The abstract socket by which earlier releases knew the same lock. `/proc/net/unix` shows it as `@<name>`. */
export function formerName(file: string): string {
    return `tradewind-${createHash("sha256").update(file).digest("hex").slice(0, 16)}`;
}

/**
 * Holds the socket too, so that agents of an earlier release, which run on while a cluster is updated, see the lock.
 *
 * Any pod on the host's network can take that name: it is waited for a moment, and not needed.
 */
async function takeFormer(file: string): Promise<Server | undefined> {
    const end = performance.now() + formerMilliseconds;
    for (;;) {
        const server = await listen(formerName(file));
        if (server || performance.now() > end) return server;
        await sleep(200);
    }
}

function listen(name: string): Promise<Server | undefined> {
    return new Promise((resolve, reject) => {
        const server = createServer();
        server.on("error", (error: NodeJS.ErrnoException) =>
            error.code === "EADDRINUSE" ? resolve(undefined) : reject(error),
        );
        server.listen({ path: `\0${name}` }, () => resolve(server));
        // The lock alone must not keep the agent running.
        server.unref();
    });
}
