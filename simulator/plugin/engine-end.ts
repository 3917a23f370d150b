import { fstatSync } from "node:fs";

/**
 * Resolves when this plugin should end: the engine sent a signal, or is gone. The engine holds the other end of our
 * standard input, so its end of file is seen even when the engine was killed.
 */
export function untilEngineEnds(): Promise<void> {
    return new Promise((resolve) => {
        process.once("SIGINT", () => resolve());
        process.once("SIGTERM", () => resolve());
        process.once("SIGHUP", () => resolve());
        // Attached by hand (PULUMI_DEBUG_PROVIDERS) it is a terminal or /dev/null, which says nothing.
        if (!fstatSync(0).isFIFO() && !fstatSync(0).isSocket()) return;
        process.stdin.once("end", () => resolve()).once("error", () => resolve());
        process.stdin.resume();
    });
}
