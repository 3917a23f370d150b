import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { isRunning } from "../../command-line/is-running";

/**
 * Makes sure that one process at a time writes a file: another would go on after it has its name.
 *
 * @returns what ends the claim. That of a process that was killed ends with it.
 */
export function claim(path: string): () => void {
    const lock = `${path}.lock`;
    for (;;) {
        try {
            writeFileSync(lock, String(process.pid), { flag: "wx" });
            return () => rmSync(lock, { force: true });
        } catch (error) {
            const { code, message } = error as NodeJS.ErrnoException;
            if (code !== "EEXIST") throw new Error(`cannot write ${lock}: ${message}`);
        }
        const owner = Number(readFileSync(lock, "utf8"));
        if (isOther(owner) && isRunning(owner)) {
            throw new Error(
                `process ${owner} is writing ${path}: wait for it, or remove ${lock} if it is another program`,
            );
        }
        rmSync(lock, { force: true });
    }
}

/** In containers, all runs may have the same ID. */
function isOther(pid: number): boolean {
    return Number.isInteger(pid) && pid > 0 && pid !== process.pid;
}
