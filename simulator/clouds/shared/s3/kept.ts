import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Contents of objects put by their API, next to the account's file, which would grow too large with them. */
export function keptIn(accountPath: string) {
    const folder = `${accountPath}.objects`;
    const fileOf = (id: string) => join(folder, createHash("sha256").update(id).digest("hex"));
    return {
        read: (id: string): Buffer => readFileSync(fileOf(id)),
        write(id: string, body: Buffer): void {
            mkdirSync(folder, { recursive: true, mode: 0o700 });
            writeFileSync(fileOf(id), body, { mode: 0o600 });
        },
        remove: (id: string): void => rmSync(fileOf(id), { force: true }),
    };
}
