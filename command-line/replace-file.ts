import {
    closeSync,
    fchmodSync,
    fchownSync,
    fsyncSync,
    openSync,
    realpathSync,
    renameSync,
    rmSync,
    type Stats,
    statSync,
    writeFileSync,
} from "node:fs";

/**
 * Writes a file that a user named: it has either its previous contents or all of the new ones, also after a full disk or a
 * power cut. A symbolic link stays one. What is no file, such as `/dev/null` or a pipe, is written to and stays as it is.
 *
 * @param mode - then it belongs to this user. @default - mode and owner of the existing file, otherwise those of any new file
 * @throws if it cannot be written
 */
export function replaceFile(path: string, contents: string | Buffer, mode?: number): void {
    try {
        const existing = statSync(path, { throwIfNoEntry: false });
        if (existing === undefined) replace(path, contents, mode);
        else if (existing.isFile() && mode !== undefined) replace(realpathSync(path), contents, mode);
        else if (existing.isFile()) replace(realpathSync(path), contents, existing.mode & 0o777, existing);
        else writeFileSync(path, contents);
    } catch (error) {
        throw new Error(`cannot write ${path}: ${(error as Error).message}`);
    }
}

/** @param existing - whose owner stays, if this is root */
function replace(path: string, contents: string | Buffer, mode?: number, existing?: Stats): void {
    const owner = process.getuid?.() === 0 ? existing : undefined;
    const temporary = `${path}.${process.pid}`;
    try {
        // Of a killed process with the same ID, or a trap of another user.
        rmSync(temporary, { force: true });
        const descriptor = openSync(temporary, "wx", mode);
        try {
            // Without the umask.
            if (mode !== undefined) fchmodSync(descriptor, mode);
            if (owner !== undefined) fchownSync(descriptor, owner.uid, owner.gid);
            for (const part of partsOf(contents)) writeFileSync(descriptor, part);
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

/** Node writes less than 2 GiB at once. Unit: bytes. */
const mostAtOnce = 2 ** 30;

function partsOf(contents: string | Buffer): (string | Buffer)[] {
    if (typeof contents === "string") return [contents];
    const count = Math.ceil(contents.length / mostAtOnce);
    return Array.from({ length: count }, (_, index) => contents.subarray(index * mostAtOnce, (index + 1) * mostAtOnce));
}
