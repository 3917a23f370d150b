import { createHash } from "node:crypto";
import { createServer, type Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Waits until no other agent works on the same state.
 *
 * The lock is a socket in Linux' abstract namespace, which containers on the host's network share. The
 * kernel frees it with the process, however that ends.
 */
export async function takeLock(stateDirectory: string, onWait: () => void): Promise<Lock> {
    const name = `\0tradewind-${createHash("sha256").update(stateDirectory).digest("hex").slice(0, 16)}`;
    for (let hasWaited = false; ; hasWaited = true) {
        const server = await listen(name);
        if (server) {
            return { release: () => new Promise((resolve) => server.close(() => resolve())) };
        }
        if (!hasWaited) {
            onWait();
        }
        await sleep(200);
    }
}

export interface Lock {
    /** Gives it back before the process ends. */
    release(): Promise<void>;
}

function listen(path: string): Promise<Server | undefined> {
    return new Promise((resolve, reject) => {
        const server = createServer();
        server.on("error", (error: NodeJS.ErrnoException) =>
            error.code === "EADDRINUSE" ? resolve(undefined) : reject(error),
        );
        server.listen({ path }, () => resolve(server));
        // The lock alone must not keep the agent running.
        server.unref();
    });
}
