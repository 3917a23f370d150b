import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Item } from "../../../artifacts/item";

/** Gives each test of a suite its own empty cache. */
export function useEmptyCache(): void {
    let folder: string;
    const before = process.env.TRADEWIND_CACHE;
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-cache-"));
        process.env.TRADEWIND_CACHE = folder;
    });
    afterEach(() => {
        rmSync(folder, { recursive: true });
        if (before === undefined) {
            delete process.env.TRADEWIND_CACHE;
        } else {
            process.env.TRADEWIND_CACHE = before;
        }
    });
}

/** An item that writes one file, and counts how often. */
export function countingItem(id: string, changes: Partial<Item> = {}): Item & { created: number } {
    const item = {
        id,
        group: "test",
        lane: "go" as const,
        key: "1",
        how: "writing",
        tools: [],
        created: 0,
        make: async ({ scratch, keep }: Parameters<Item["make"]>[0]) => {
            item.created += 1;
            await writeFile(join(scratch, "new"), `contents of ${id}`);
            await keep(join(scratch, "new"), `files/${id}`);
            return { source: "built" as const, places: [`files/${id}`] };
        },
        ...changes,
    };
    return item;
}
