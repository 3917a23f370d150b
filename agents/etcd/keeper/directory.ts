import { chmodSync, type Dirent, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { removeDurably, syncDirectory, writeDurably } from "../../harness/durable";

/**
 * This machine's snapshots of one cluster, each as `<name>.db` with `<name>.json`, readable only by root.
 *
 * Anything else in the directory is ignored and kept: snapshots of other clusters, copied there for a restore, and files
 * with other names. So are files with our names that are no snapshots; {@link cleanUp} removes half of one.
 */
export class SnapshotDirectory {
    constructor(
        readonly path: string,
        readonly cluster: string,
    ) {}

    create(): void {
        mkdirSync(this.path, { recursive: true });
        // The mount created it readable by everyone.
        chmodSync(this.path, 0o700);
    }

    /** The complete ones, oldest first. */
    list(): SnapshotManifest[] {
        return this.#names("json")
            .flatMap((name) => this.#read(name) ?? [])
            .sort((a, b) => Date.parse(a.time) - Date.parse(b.time));
    }

    /** Names with the right ending of files with our names: neither directories nor links. */
    #names(ending: "json" | "db"): string[] {
        return this.#entries().flatMap((entry) => {
            const name = entry.isFile() && entry.name.endsWith(`.${ending}`) && entry.name.slice(0, -ending.length - 1);
            return name && snapshotTime(this.cluster, name) ? [name] : [];
        });
    }

    /** None of a directory that cannot be read: the next snapshot reports why. */
    #entries(): Dirent[] {
        try {
            return readdirSync(this.path, { withFileTypes: true });
        } catch {
            return [];
        }
    }

    /** The manifest; undefined unless it is one of a snapshot whose file has the right size. */
    #read(name: string): SnapshotManifest | undefined {
        try {
            const manifest = JSON.parse(readFileSync(this.#manifest(name), "utf8"));
            const file = lstatSync(this.file(name));
            const isWhole = isManifest(manifest, name, this.cluster) && file.isFile() && file.size === manifest.size;
            return isWhole ? manifest : undefined;
        } catch {
            return undefined;
        }
    }

    file(name: string): string {
        return join(this.path, `${name}.db`);
    }

    /** Path to write a snapshot to before it is verified. */
    half(name: string): string {
        return join(this.path, `.${name}.db.half`);
    }

    /** The last step of a snapshot whose file exists. It counts from then on. */
    complete(manifest: SnapshotManifest): void {
        syncDirectory(this.path);
        writeDurably(this.#manifest(manifest.name), `${JSON.stringify(manifest, null, 2)}\n`);
    }

    /** The manifest is removed first: a snapshot without one does not count. */
    remove(name: string): void {
        removeDurably(this.#manifest(name));
        rmSync(this.file(name), { force: true });
    }

    /**
     * Removes the leftovers of killed runs and returns their names. No snapshot may be in progress. A snapshot with a
     * damaged manifest is kept: its file may be good.
     */
    cleanUp(): string[] {
        const entries = readdirSync(this.path, { withFileTypes: true });
        const all = new Set(entries.map(({ name }) => name));
        const half = entries.flatMap((entry) => (entry.isFile() && this.#isHalf(entry.name) ? [entry.name] : []));
        const alone = (ending: "db" | "json", other: "db" | "json") =>
            this.#names(ending).flatMap((name) => (all.has(`${name}.${other}`) ? [] : [`${name}.${ending}`]));
        const left = [...half, ...alone("db", "json"), ...alone("json", "db")];
        for (const name of left) {
            rmSync(join(this.path, name));
        }
        return left;
    }

    #isHalf(name: string): boolean {
        const [, of] = /^\.(.+)\.(?:db|json)\.half$/.exec(name) ?? [];
        return of !== undefined && snapshotTime(this.cluster, of) !== undefined;
    }

    #manifest(name: string): string {
        return join(this.path, `${name}.json`);
    }
}

/** Stored next to a snapshot as `<name>.json`. A snapshot without it is incomplete. */
export interface SnapshotManifest {
    readonly formatVersion: 1;
    /** `<cluster>-<time>`; the file is `<name>.db`. */
    readonly name: string;
    readonly cluster: string;
    /** etcd's cluster ID, in hexadecimal. */
    readonly clusterId: string;
    /** The member it was taken from. */
    readonly member: string;
    /** The node that took it. */
    readonly node: string;
    /** RFC 3339. */
    readonly time: string;
    readonly trigger: Trigger;
    /** Revision of the store, from `etcdutl snapshot status`. */
    readonly revision: number;
    readonly keys: number;
    /** Size of the file in bytes. */
    readonly size: number;
    /** Hash of the file, in hexadecimal. */
    readonly sha256: string;
    readonly kubernetesVersion: string;
    readonly etcdVersion: string;
}

/** Whether the JSON in a file says what the keeper writes there, as far as anything relies on it. */
function isManifest(value: unknown, name: string, cluster: string): value is SnapshotManifest {
    const { name: own, cluster: of, time, size, sha256 } = (value ?? {}) as Partial<SnapshotManifest>;
    const isDated = typeof time === "string" && !Number.isNaN(Date.parse(time));
    return own === name && of === cluster && isDated && typeof size === "number" && typeof sha256 === "string";
}

export type Trigger = "timer" | "demand";

/** `c-20261121T053834.123Z`: sorts by time, and is a valid file name and key. */
export function snapshotName(cluster: string, time: Date): string {
    return `${cluster}-${time.toISOString().replaceAll(/[-:]/g, "")}`;
}

/** When a snapshot of this cluster was taken, from its name; undefined if the name is not a snapshot's. */
export function snapshotTime(cluster: string, name: string): Date | undefined {
    if (!name.startsWith(`${cluster}-`)) {
        return undefined;
    }
    const stamp = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3}Z)$/.exec(name.slice(cluster.length + 1));
    const time = new Date(stamp ? `${stamp.slice(1, 4).join("-")}T${stamp.slice(4).join(":")}` : Number.NaN);
    return Number.isNaN(time.getTime()) ? undefined : time;
}
