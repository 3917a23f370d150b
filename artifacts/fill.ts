import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cacheDir } from "../cache";
import { takeFillLock } from "../cache/file-lock";
import { type EtcdVersion, type KubernetesVersion, versions } from "../versions";
import type { Uses } from "../versions/images";
import { run } from "./command";
import type { DebianRoot, Item, Lane, Way, Workshop } from "./item";
import { itemsFor, selectItems, testItems, usedItems } from "./items";
import { missingItems, neededItems } from "./needed";
import { assertPrerequisites } from "./prerequisites";
import { CacheRecord } from "./record";
import { Registry } from "./registry";
import { officialSites, type Sites } from "./sites";
import { AGAIN, chooseWay, isFetched } from "./way";

export interface FillOptions {
    /** @default - the default version only */
    readonly kubernetes?: readonly KubernetesVersion[];
    /** @default - the default version only */
    readonly etcd?: readonly EtcdVersion[];
    /**
     * Groups of items to fill, with their dependencies, including groups that only tests need. @default - all but those
     * of tests
     */
    readonly only?: readonly string[];
    /** Leaves out what a cluster with these options does not need. @default - nothing is left out */
    readonly uses?: Uses;
    /** @default - by whether the official sites of what is missing answer */
    readonly way?: Way;
    /** @default - the official ones */
    readonly sites?: Sites;
    /** Receives the progress lines. @default - standard error */
    readonly say?: (line: string) => void;
}

/** Ensures that the cache holds everything a cluster needs; resumes an interrupted fill. */
export async function ensure(options: FillOptions = {}): Promise<void> {
    const { kubernetes = [versions.kubernetes], etcd = [versions.etcd], only, uses } = options;
    const items = itemsFor(kubernetes, etcd);
    const used = uses ? usedItems(items, uses) : items;
    await fillItems(only ? selectItems([...items, ...testItems()], only) : used, options);
}

/** Fills the cache with these items, skipping those it already holds. */
export async function fillItems(
    items: readonly Item[],
    { say, way: chosen, sites = officialSites }: FillOptions = {},
): Promise<void> {
    const progress = new Progress(items.length, say);
    // If nothing is missing, do not wait for a fill of something else.
    if (isFull(items, await missingItems(items, await CacheRecord.open()), progress)) {
        return;
    }
    const release = await takeFillLock(progress.say);
    try {
        const record = await CacheRecord.open();
        const missing = await missingItems(items, record);
        if (isFull(items, missing, progress)) {
            return;
        }
        const way = chosen ?? (await chooseWay(missing, progress.say, sites)) ?? "offline";
        const needed = neededItems(missing, way);
        assertPrerequisites(needed, way);
        progress.say(`${needed.length} of ${items.length} artifacts are left to make`);
        await make(needed, items, record, progress, new SharedWorkshop(way, sites));
    } finally {
        release();
    }
}

function isFull(items: readonly Item[], missing: readonly Item[], { say }: Progress): boolean {
    if (missing.length === 0) {
        say(`all ${items.length} artifacts are cached`);
    }
    return missing.length === 0;
}

async function make(
    stale: readonly Item[],
    all: readonly Item[],
    record: CacheRecord,
    progress: Progress,
    workshop: SharedWorkshop,
): Promise<void> {
    const { way, sites } = workshop;
    await workshop.open();
    try {
        await schedule(stale, async (item) => {
            const started = Date.now();
            const isDownload = isFetched(item, way);
            const how = isDownload ? `fetching ${sites.url(item.official![0]!)}` : item.how;
            const end = progress.begin(all.findIndex(({ id }) => id === item.id) + 1, item.id, how);
            try {
                await record.forget(item.id, await record.damaged(item.id, false));
                const built = await workshop.use((own) => item.make(own));
                await record.add(item.id, item.key, built, (Date.now() - started) / 1000);
                end(built.source === "official" ? "fetched" : "built");
            } catch (error) {
                end("failed");
                throw new Error(`${item.id}: ${(error as Error).message}${isDownload ? `\n${AGAIN}` : ""}`);
            }
        });
    } finally {
        await workshop.close();
    }
}

const REMIND_MS = 15_000;

/** Plain lines to standard error: the item, its position, and the time it takes. */
class Progress {
    private readonly width: number;

    constructor(
        private readonly total: number,
        readonly say: (line: string) => void = (line) => void process.stderr.write(`${line}\n`),
    ) {
        this.width = String(total).length;
    }

    /** Reports the start, then the elapsed time at intervals; the returned function reports the result. */
    begin(position: number, what: string, how: string): (outcome: string) => void {
        const label = `[${String(position).padStart(this.width)}/${this.total}] ${what.padEnd(32)}`;
        const started = Date.now();
        this.say(`${label} ${how}`);
        const reminder = setInterval(
            () => this.say(`${label} ${how} (elapsed ${duration(Date.now() - started)})`),
            REMIND_MS,
        );
        return (outcome) => {
            clearInterval(reminder);
            this.say(`${label} ${outcome} in ${duration(Date.now() - started)}`);
        };
    }
}

/** `8s`, `3m12s`. */
function duration(milliseconds: number): string {
    const seconds = Math.round(milliseconds / 1000);
    return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${String(seconds % 60).padStart(2, "0")}s`;
}

/** The fields of an item that determine its place in the queue. */
export type Queued = Pick<Item, "id" | "lane" | "needs">;

/**
 * Runs the work in order, one item of each lane at a time, each after its dependencies. After a failure nothing more is
 * started; running items are awaited and the first failure is thrown.
 */
export async function schedule<T extends Queued>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
    const waiting = [...items];
    const unfinished = new Set(items.map(({ id }) => id));
    const running = new Map<Lane, Promise<void>>();
    const failures: unknown[] = [];
    const start = (item: T) => {
        waiting.splice(waiting.indexOf(item), 1);
        const ended = work(item)
            .then(() => void unfinished.delete(item.id))
            .catch((error) => void failures.push(error))
            .finally(() => running.delete(item.lane));
        running.set(item.lane, ended);
    };
    for (;;) {
        const isReady = (item: T) => !running.has(item.lane) && !item.needs?.some((need) => unfinished.has(need));
        for (let next = waiting.find(isReady); next && failures.length === 0; next = waiting.find(isReady)) {
            start(next);
        }
        if (running.size === 0) {
            break;
        }
        await Promise.race(running.values());
    }
    if (failures.length > 0) {
        throw failures[0];
    }
    if (waiting.length > 0) {
        throw new Error(`circular dependency: ${waiting.map(({ id }) => id).join(", ")}`);
    }
}

/** What the items of one fill share: a registry and an unpacked Debian, each created on first use. */
class SharedWorkshop {
    private readonly folder = join(cacheDir(), "tmp");
    private running?: Promise<Registry>;
    private readonly roots = new Map<DebianRoot, Promise<string>>();

    constructor(
        readonly way: Way,
        readonly sites: Sites,
    ) {}

    /** Removes leftovers of an interrupted fill. */
    async open(): Promise<void> {
        await rm(this.folder, { recursive: true, force: true });
        await mkdir(this.folder, { recursive: true });
    }

    /** Gives one item its own folder for the duration of its work. */
    async use<T>(work: (workshop: Workshop) => Promise<T>): Promise<T> {
        const scratch = await mkdtemp(join(this.folder, "item-"));
        try {
            return await work({
                scratch,
                way: this.way,
                sites: this.sites,
                path: (place) => join(cacheDir(), place),
                keep: async (file, place) => {
                    const target = join(cacheDir(), place);
                    await mkdir(dirname(target), { recursive: true });
                    await rename(file, target);
                },
                registry: async () => (await this.startRegistry()).socket,
                debianRoot: (root = "debian") => this.unpack(root),
            });
        } finally {
            await rm(scratch, { recursive: true, force: true });
        }
    }

    async close(): Promise<void> {
        await (await this.running?.catch(() => undefined))?.stop();
        await rm(this.folder, { recursive: true, force: true });
    }

    private startRegistry(): Promise<Registry> {
        this.running ??= Registry.start(join(cacheDir(), "registry"), this.folder);
        return this.running;
    }

    private unpack(name: DebianRoot): Promise<string> {
        const unpacked = this.roots.get(name) ?? this.unpackNow(name);
        this.roots.set(name, unpacked);
        return unpacked;
    }

    private async unpackNow(name: DebianRoot): Promise<string> {
        const root = await mkdtemp(join(this.folder, "debian-"));
        await run("tar", ["-xf", join(cacheDir(), "rootfs", `${name}.tar`), "-C", root]);
        return root;
    }
}
