import { createHash } from "node:crypto";
import { createServer, type Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * The name of the lock of a state directory.
 *
 * The lock is a socket in Linux' abstract namespace, which containers on the host's network share. The
 * kernel frees it with the process, however that ends. `/proc/net/unix` shows it as `@<name>`.
 */
export function lockName(stateDirectory: string): string {
    return `tradewind-${createHash("sha256").update(stateDirectory).digest("hex").slice(0, 16)}`;
}

export interface Lock {
    /** Gives it back before the process ends. */
    release(): Promise<void>;
}

/** Waits until no other agent works on the same state. */
export async function takeLock(stateDirectory: string, onWait: () => void): Promise<Lock> {
    for (let hasWaited = false; ; hasWaited = true) {
        const server = await listen(stateDirectory);
        if (server) {
            return { release: () => new Promise((resolve) => server.close(() => resolve())) };
        }
        if (!hasWaited) {
            onWait();
        }
        await sleep(200);
    }
}

/** Whether some process holds the lock. */
export async function isLocked(stateDirectory: string): Promise<boolean> {
    const server = await listen(stateDirectory);
    server?.close();
    return server === undefined;
}

function listen(stateDirectory: string): Promise<Server | undefined> {
    return new Promise((resolve, reject) => {
        const server = createServer();
        server.on("error", (error: NodeJS.ErrnoException) =>
            error.code === "EADDRINUSE" ? resolve(undefined) : reject(error),
        );
        server.listen({ path: `\0${lockName(stateDirectory)}` }, () => resolve(server));
        // The lock alone must not keep the agent running.
        server.unref();
    });
}
