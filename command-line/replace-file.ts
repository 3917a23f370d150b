import {
    closeSync,
    fchmodSync,
    fsyncSync,
    openSync,
    realpathSync,
    renameSync,
    rmSync,
    statSync,
    writeFileSync,
} from "node:fs";

/**
 * Writes a file that a user named: it has either its previous contents or all of the new ones, also after a full disk or a
 * power cut. A symbolic link stays one. What is no file, such as `/dev/null` or a pipe, is written to and stays as it is.
 *
 * @param mode - @default - that of the existing file, otherwise that of any new file
 * @throws if it cannot be written
 */
export function replaceFile(path: string, contents: string | Buffer, mode?: number): void {
    try {
        const existing = statSync(path, { throwIfNoEntry: false });
        if (existing === undefined) replace(path, contents, mode);
        else if (existing.isFile()) replace(realpathSync(path), contents, mode ?? existing.mode & 0o777);
        else writeFileSync(path, contents);
    } catch (error) {
        throw new Error(`cannot write ${path}: ${(error as Error).message}`);
    }
}

function replace(path: string, contents: string | Buffer, mode?: number): void {
    const temporary = `${path}.${process.pid}`;
    try {
        const descriptor = openSync(temporary, "w", mode);
        try {
            // Without the umask.
            if (mode !== undefined) fchmodSync(descriptor, mode);
            writeFileSync(descriptor, contents);
            fsyncSync(descriptor);
        } finally {
            closeSync(descriptor);
        }
        renameSync(temporary, path);
    } catch (error) {
        rmSync(temporary, { force: true });
        throw error;
    }
}
