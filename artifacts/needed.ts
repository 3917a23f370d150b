import type { Item, Way } from "./item";
import type { CacheRecord } from "./record";
import { isFetched } from "./way";

/** Items that are missing, damaged or built from outdated inputs, and everything built from those. */
export async function missingItems(items: readonly Item[], record: CacheRecord): Promise<Item[]> {
    const missing: Item[] = [];
    for (const item of items) {
        const isBuilt = record.get(item.id)?.source === "built";
        const isOutdated = isBuilt && missing.some(({ id }) => item.needs?.includes(id));
        if (isOutdated || !(await record.isIntact(item.id, item.key))) {
            missing.push(item);
        }
    }
    return neededItems(missing, "offline");
}

/** Those of the missing items without which the others cannot be made. */
export function neededItems(missing: readonly Item[], way: Way): Item[] {
    const needed: Item[] = [];
    for (const item of [...missing].reverse()) {
        const isUsed = needed.some((other) => !isFetched(other, way) && other.needs?.includes(item.id));
        if (!item.isIntermediate || isUsed) needed.unshift(item);
    }
    return needed;
}
