import { takeFillLock } from "./file-lock";
import type { Item } from "./item";
import { CacheRecord } from "./record";

/** How a check of one item ended. */
export interface Finding {
    readonly id: string;
    readonly state: "intact" | "missing" | "outdated" | "damaged";
    /** Files of the cache that are not as recorded. */
    readonly damaged: readonly string[];
}

/** Reads every byte of these items; what is damaged is forgotten and removed, so that the next fill makes it anew. */
export async function verify(items: readonly Item[], say: (line: string) => void): Promise<Finding[]> {
    const release = await takeFillLock(say);
    try {
        const record = await CacheRecord.open();
        const findings: Finding[] = [];
        for (const { id, key } of items) {
            const entry = record.get(id);
            const damaged = await record.damaged(id, true);
            if (damaged.length > 0) {
                await record.forget(id, damaged);
            }
            const state = !entry
                ? "missing"
                : damaged.length > 0
                  ? "damaged"
                  : entry.key !== key
                    ? "outdated"
                    : "intact";
            findings.push({ id, state, damaged });
        }
        return findings;
    } finally {
        release();
    }
}
