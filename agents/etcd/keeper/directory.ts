import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { removeDurably, syncDirectory, writeDurably } from "../../harness/durable";

/** Snapshots of this machine, each as `<name>.db` with `<name>.json` beside it, for root alone. */
export class SnapshotDirectory {
    constructor(readonly path: string) {}

    create(): void {
        mkdirSync(this.path, { recursive: true });
        // The mount made it, for all to read.
        chmodSync(this.path, 0o700);
    }

    /** The whole ones, oldest first. */
    list(): SnapshotManifest[] {
        const names = existsSync(this.path) ? readdirSync(this.path) : [];
        return names
            .filter((name) => name.endsWith(".json") && !name.startsWith("."))
            .filter((name) => names.includes(name.replace(/json$/, "db")))
            .map((name) => JSON.parse(readFileSync(join(this.path, name), "utf8")))
            .sort((a, b) => Date.parse(a.time) - Date.parse(b.time));
    }

    file(name: string): string {
        return join(this.path, `${name}.db`);
    }

    /** Where a snapshot is written to, before it is known to be good. */
    half(name: string): string {
        return join(this.path, `.${name}.db.half`);
    }

    /** The last step of a snapshot, whose file is there: from now on it counts. */
    complete(manifest: SnapshotManifest): void {
        syncDirectory(this.path);
        writeDurably(this.#manifest(manifest.name), `${JSON.stringify(manifest, null, 2)}\n`);
    }

    /** The manifest goes first: a snapshot without one does not count. */
    remove(name: string): void {
        removeDurably(this.#manifest(name));
        rmSync(this.file(name), { force: true });
    }

    /** Removes what killed runs left. None may be at work. Tells what it was. */
    cleanUp(): string[] {
        const whole = new Set(this.list().flatMap(({ name }) => [`${name}.db`, `${name}.json`]));
        // Anything of another name is not ours.
        const ours = /^\..+\.half$|-\d{8}T\d{6}\.\d{3}Z\.(db|json)$/;
        const left = readdirSync(this.path).filter((name) => ours.test(name) && !whole.has(name));
        for (const name of left) {
            rmSync(join(this.path, name));
        }
        return left;
    }

    #manifest(name: string): string {
        return join(this.path, `${name}.json`);
    }
}

/** What lies beside a snapshot, as `<name>.json`: a snapshot without it is not whole. */
export interface SnapshotManifest {
    readonly formatVersion: 1;
    /** `<cluster>-<time>`; the file is `<name>.db`. */
    readonly name: string;
    readonly cluster: string;
    /** etcd's own, in hexadecimal. */
    readonly clusterId: string;
    /** The member that it was taken from. */
    readonly member: string;
    /** The node that took it. */
    readonly node: string;
    /** RFC 3339. */
    readonly time: string;
    readonly trigger: Trigger;
    /** Of the store, by `etcdutl snapshot status`. */
    readonly revision: number;
    readonly keys: number;
    /** Bytes of the file. */
    readonly size: number;
    /** Of the file, in hexadecimal. */
    readonly sha256: string;
    readonly kubernetesVersion: string;
    readonly etcdVersion: string;
}

export type Trigger = "timer" | "demand";

/** `c-20261121T053834.123Z`: sorts by time, and is a legal file name and key. */
export function snapshotName(cluster: string, time: Date): string {
    return `${cluster}-${time.toISOString().replaceAll(/[-:]/g, "")}`;
}

/** When a snapshot of this cluster was taken, by its name; undefined if it is none. */
export function snapshotTime(cluster: string, name: string): Date | undefined {
    if (!name.startsWith(`${cluster}-`)) {
        return undefined;
    }
    const stamp = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3}Z)$/.exec(name.slice(cluster.length + 1));
    return stamp ? new Date(`${stamp.slice(1, 4).join("-")}T${stamp.slice(4).join(":")}`) : undefined;
}
