import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { AuditLogPlan, CheckpointerPlan } from "./plan";

type Planned = Pick<CheckpointerPlan, "hostDirectories" | "auditLog">;

const hour = 3_600_000;

/** Prepares the host directories of the parents, and removes old files of the audit log now and every hour. */
export function keepHostDirectories({ hostDirectories = [], auditLog }: Planned, log: (line: string) => void): void {
    for (const { path, group } of hostDirectories) {
        if (prepareDirectory(path, group, path === auditLog?.directory)) log(`${path}: for group ${group}`);
    }
    if (auditLog === undefined) return;
    const tidy = () => {
        try {
            for (const file of removeOldFiles(auditLog, Date.now())) log(`${file}: removed from the audit log`);
        } catch (error) {
            log(`the audit log could not be tidied: ${(error as Error).message}`);
        }
    };
    tidy();
    setInterval(tidy, hour).unref();
}

/**
 * Makes a directory as the kubelet creates it accessible to root and a group only. Any other directory stays as it is.
 *
 * @param isOurs - even if it has files
 * @returns whether it was changed
 */
export function prepareDirectory(path: string, group: number, isOurs: boolean, root = 0): boolean {
    mkdirSync(path, { recursive: true });
    const { uid, gid } = statSync(path);
    if (uid !== root || gid !== root || (!isOurs && readdirSync(path).length > 0)) return false;
    // The owner is last: until then, it is repeated.
    chmodSync(path, 0o770);
    chownSync(path, root, group);
    return true;
}

/**
 * Removes old files of the audit log, those of the running pods among them: each pod only removes its own, and former
 * ones leave theirs. The newest file stays.
 *
 * @param now - milliseconds since 1970
 * @returns the removed files
 */
export function removeOldFiles({ directory, maxAgeDays, maxBytes }: AuditLogPlan, now: number): string[] {
    const files = readdirSync(directory)
        .filter((name) => /\.log(\.gz)?$/.test(name))
        .map((name) => {
            const path = join(directory, name);
            const { mtimeMs, size } = statSync(path);
            return { path, age: now - mtimeMs, size };
        })
        .sort((one, other) => one.age - other.age);
    let total = 0;
    const old = files.filter(({ age, size }, index) => {
        total += size;
        return index > 0 && (age > (maxAgeDays ?? Infinity) * 24 * hour || total > (maxBytes ?? Infinity));
    });
    for (const { path } of old) rmSync(path, { force: true });
    return old.map(({ path }) => path);
}
