import { readFileSync, rmSync, writeFileSync } from "node:fs";

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
        if (isRunning(owner)) {
            throw new Error(
                `process ${owner} is writing ${path}: wait for it, or remove ${lock} if it is another program`,
            );
        }
        rmSync(lock, { force: true });
    }
}

function isRunning(pid: number): boolean {
    // In containers, all runs may have the same.
    if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
    try {
        process.kill(pid, 0);
        return true;
    } catch (error) {
        return (error as NodeJS.ErrnoException).code === "EPERM";
    }
}
