import { createHash } from "node:crypto";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Waits until no other agent works on the same state.
 *
 * The lock is a socket in Linux' abstract namespace, which containers on the host's network share. The
 * kernel frees it with the process, however that ends.
 */
export async function takeLock(stateDirectory: string, onWait: () => void): Promise<void> {
    const name = `\0tradewind-${createHash("sha256").update(stateDirectory).digest("hex").slice(0, 16)}`;
    for (let hasWaited = false; !(await listen(name)); hasWaited = true) {
        if (!hasWaited) {
            onWait();
        }
        await sleep(200);
    }
}

function listen(path: string): Promise<boolean> {
    return new Promise((resolve, reject) => {
        const server = createServer();
        server.on("error", (error: NodeJS.ErrnoException) =>
            error.code === "EADDRINUSE" ? resolve(false) : reject(error),
        );
        server.listen({ path }, () => resolve(true));
        // The lock alone must not keep the agent running.
        server.unref();
    });
}
