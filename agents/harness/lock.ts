import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { closeSync, fchmodSync, fstatSync, mkdirSync, openSync, statSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface Lock {
    /** Releases it before the process ends. */
    release(): Promise<void>;
}

export interface LockOptions {
    /**
     * Whether agents of releases that used an abstract socket as the lock may run at the same time, as in an update.
     * @default false
     */
    readonly former?: boolean;
}

/** Milliseconds that an agent of an earlier release has to give way: it checks every two seconds. */
const formerMilliseconds = 5_000;

/**
 * Waits until no other agent holds the same lock: a file owned by root, in a directory owned by root on the host.
 *
 * The kernel ties it to the open file (flock), so it is released with the process, however that ends, and it works
 * across containers and the host. Only root can open the file and so take the lock.
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

/** Logs that an agent waits for a lock. @param who - the kind of agent that holds it */
export function logWait(who = "agent", log: (line: string) => void = console.log): () => void {
    return () => log(`another ${who} is running here; waiting for it to end`);
}

/** Whether a process holds the lock. */
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

/** Abstract socket that earlier releases used as the same lock. `/proc/net/unix` shows it as `@<name>`. */
export function formerName(file: string): string {
    return `tradewind-${createHash("sha256").update(file).digest("hex").slice(0, 16)}`;
}

/**
 * Binds the socket too, so that agents of an earlier release that run on during a cluster update see the lock.
 *
 * Any pod on the host network can take that name, so this waits only briefly and works without it.
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
