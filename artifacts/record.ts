import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Source } from "../cache";
import { cacheDir } from "../cache";
import { sha256File } from "./checksum";
import type { Built } from "./item";

/** An item's entry in `index.json`. */
export interface Recorded {
    readonly key: string;
    readonly source: Source;
    /** How long it took to make. */
    readonly seconds: number;
    readonly files: Readonly<Record<string, FileRecord>>;
}

export interface FileRecord {
    readonly sha256: string;
    readonly size: number;
    /** In milliseconds; a file with the recorded size and time counts as unchanged until `verify` reads it. */
    readonly modified: number;
}

type Entries = Record<string, Recorded>;

/** The record of the cache's contents. */
export class CacheRecord {
    private written: Promise<void> = Promise.resolve();

    private constructor(private readonly entries: Entries) {}

    static async open(): Promise<CacheRecord> {
        return new CacheRecord((await readJson<Entries>(join(cacheDir(), "index.json"))) ?? {});
    }

    get(id: string): Recorded | undefined {
        return this.entries[id];
    }

    /** Whether an item's files match its record; `thoroughly` reads every byte. */
    async isIntact(id: string, key: string, thoroughly = false): Promise<boolean> {
        const entry = this.entries[id];
        return entry?.key === key && (await this.damaged(id, thoroughly)).length === 0;
    }

    /** The files of an item that are missing or differ from their record. */
    async damaged(id: string, thoroughly: boolean): Promise<string[]> {
        const places: string[] = [];
        for (const [place, file] of Object.entries(this.entries[id]?.files ?? {})) {
            if (!(await isAsRecorded(join(cacheDir(), place), file, thoroughly))) {
                places.push(place);
            }
        }
        return places;
    }

    /** Records a finished item and writes the indexes. */
    async add(id: string, key: string, { source, places }: Built, seconds: number): Promise<void> {
        const files: Record<string, FileRecord> = {};
        for (const place of [...places].sort()) {
            const path = join(cacheDir(), place);
            const { size, mtimeMs } = await stat(path);
            files[place] = { sha256: await sha256File(path), size, modified: mtimeMs };
        }
        this.entries[id] = { key, source, seconds, files };
        await this.write();
    }

    /** Removes an item's record and its damaged files, so that the next fill recreates them. */
    async forget(id: string, damaged: readonly string[]): Promise<void> {
        delete this.entries[id];
        await this.write();
        for (const place of damaged) {
            await rm(join(cacheDir(), place), { force: true });
        }
    }

    /** One write at a time: both lanes finish items. */
    private write(): Promise<void> {
        this.written = this.written.then(() => this.writeIndexes());
        return this.written;
    }

    private async writeIndexes(): Promise<void> {
        const sorted = Object.entries(this.entries).sort(([a], [b]) => (a < b ? -1 : 1));
        await writeJson(join(cacheDir(), "index.json"), Object.fromEntries(sorted));
        const served = sorted.flatMap(([, { source, files }]) =>
            Object.entries(files)
                .filter(([place]) => place.startsWith("files/"))
                .map(([place, { sha256 }]) => [place.slice("files/".length), { sha256, source }] as const),
        );
        await writeJson(join(cacheDir(), "files", "index.json"), Object.fromEntries(served));
    }
}

async function isAsRecorded(path: string, file: FileRecord, thoroughly: boolean): Promise<boolean> {
    const found = await stat(path).catch(() => undefined);
    if (found?.size !== file.size) {
        return false;
    }
    const seemsUnchanged = found.mtimeMs === file.modified && !thoroughly;
    return seemsUnchanged || (await sha256File(path)) === file.sha256;
}

async function readJson<T>(path: string): Promise<T | undefined> {
    try {
        return JSON.parse(await readFile(path, "utf8"));
    } catch (error) {
        // A missing record means an empty cache, and so does an unreadable one.
        if ((error as NodeJS.ErrnoException).code === "ENOENT" || error instanceof SyntaxError) {
            return undefined;
        }
        throw error;
    }
}

async function writeJson(path: string, value: unknown): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.new`, `${JSON.stringify(value, null, 2)}\n`);
    await rename(`${path}.new`, path);
}
