import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Interrupted, onSignals } from "../../command-line/interrupt";
import { isRunning } from "../../command-line/is-running";
import { stateRoot } from "../../local/state";

const root = () => join(stateRoot(), ".rehearsals");

/**
 * Works in a private folder, which is removed afterwards, also on Ctrl-C: it holds every Secret of a cluster. Folders of
 * killed rehearsals are removed first; their programs ended with them.
 */
export async function inPrivateFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
    mkdirSync(root(), { recursive: true, mode: 0o700 });
    // In containers, all runs may have the same ID.
    const isOver = (id: number) => id === process.pid || !isRunning(id);
    for (const name of readdirSync(root())) if (isOver(Number(name))) removeFolder(join(root(), name));
    const folder = join(root(), String(process.pid));
    mkdirSync(folder, { mode: 0o700 });
    const stop = onSignals(() => {
        removeFolder(folder);
        const { message, exitCode } = new Interrupted("nothing is left of the rehearsal");
        console.error(`error: ${message}`);
        process.exit(exitCode);
    });
    try {
        return await work(folder);
    } finally {
        stop();
        removeFolder(folder);
    }
}

/** A killed program may still write for a moment. */
function removeFolder(path: string): void {
    rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}
