import { closeSync, fsyncSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { syncDirectory } from "../../common/durable";

/** Makes everything below a folder durable. */
export function syncTree(folder: string): void {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name);
        entry.isDirectory() ? syncTree(path) : syncFile(path);
    }
    syncDirectory(folder);
}

function syncFile(path: string): void {
    const descriptor = openSync(path, "r+");
    try {
        fsyncSync(descriptor);
    } finally {
        closeSync(descriptor);
    }
}
