import { OfficialSites } from "./download";
import { takeFillLock } from "./file-lock";
import type { Item } from "./item";
import { itemsFor, selectItems, testItems } from "./items";
import { type EtcdVersion, type KubernetesVersion, versions } from "./lock";
import { assertPrerequisites } from "./prerequisites";
import { Progress } from "./progress";
import { CacheRecord } from "./record";
import { schedule } from "./schedule";
import { SharedWorkshop } from "./workshop";

export interface FillOptions {
    /** @default - the default version alone */
    readonly kubernetes?: readonly KubernetesVersion[];
    /** @default - the default version alone */
    readonly etcd?: readonly EtcdVersion[];
    /** Groups of items to fill, with what they need; those that only tests need too. @default - all but those */
    readonly only?: readonly string[];
    /** Whether to ask the projects' own sites first. @default true */
    readonly officialDownloads?: boolean;
    /** Takes the progress lines. @default - standard error */
    readonly say?: (line: string) => void;
}

/** Makes sure that the cache holds what a cluster needs; goes on where an interrupted fill stopped. */
export async function ensure(options: FillOptions = {}): Promise<void> {
    const { kubernetes = [versions.kubernetes], etcd = [versions.etcd], only } = options;
    const items = itemsFor(kubernetes, etcd);
    await fillItems(only ? selectItems([...items, ...testItems()], only) : items, options);
}

/** Fills the cache with these items, skipping those that are in it. */
export async function fillItems(
    items: readonly Item[],
    { say, officialDownloads = true }: FillOptions = {},
): Promise<void> {
    const progress = new Progress(items.length, say);
    // Who needs nothing new need not wait for a fill of something else.
    if (isFull(items, await staleItems(items, await CacheRecord.open()), progress)) {
        return;
    }
    const release = await takeFillLock(progress.say);
    try {
        const record = await CacheRecord.open();
        const stale = await staleItems(items, record);
        if (isFull(items, stale, progress)) {
            return;
        }
        assertPrerequisites(stale);
        progress.say(
            `${items.length - stale.length} of ${items.length} artifacts are in the cache, ${stale.length} to go`,
        );
        await make(stale, items, record, progress, officialDownloads);
    } finally {
        release();
    }
}

function isFull(items: readonly Item[], stale: readonly Item[], { say }: Progress): boolean {
    if (stale.length === 0) {
        say(`all ${items.length} artifacts are in the cache`);
    }
    return stale.length === 0;
}

async function make(
    stale: readonly Item[],
    all: readonly Item[],
    record: CacheRecord,
    progress: Progress,
    officialDownloads: boolean,
): Promise<void> {
    const workshop = new SharedWorkshop(new OfficialSites(progress.say, officialDownloads), progress.say);
    await workshop.open();
    try {
        await schedule(stale, async (item) => {
            const started = Date.now();
            const end = progress.begin(all.findIndex(({ id }) => id === item.id) + 1, item.id, item.how);
            try {
                await record.forget(item.id, await record.damaged(item.id, false));
                const made = await workshop.use((own) => item.make(own));
                await record.add(item.id, item.key, made, (Date.now() - started) / 1000);
                end(made.source === "official" ? "fetched" : "built");
            } catch (error) {
                end("failed");
                throw new Error(`${item.id}: ${(error as Error).message}`);
            }
        });
    } finally {
        await workshop.close();
    }
}

/** What is missing, damaged or made from something else than now, and what is made from that. */
async function staleItems(items: readonly Item[], record: CacheRecord): Promise<Item[]> {
    const stale: Item[] = [];
    for (const item of items) {
        const isOutdated = stale.some(({ id }) => item.needs?.includes(id));
        if (isOutdated || !(await record.isIntact(item.id, item.key))) {
            stale.push(item);
        }
    }
    return stale;
}
