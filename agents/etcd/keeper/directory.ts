import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { removeDurably, syncDirectory, writeDurably } from "../../harness/durable";

/** This machine's snapshots, each as `<name>.db` with `<name>.json`, readable only by root. */
export class SnapshotDirectory {
    constructor(readonly path: string) {}

    create(): void {
        mkdirSync(this.path, { recursive: true });
        // The mount created it readable by everyone.
        chmodSync(this.path, 0o700);
    }

    /** The complete ones, oldest first. */
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

    /** Removes the leftovers of killed runs and returns their names. No snapshot may be in progress. */
    cleanUp(): string[] {
        const whole = new Set(this.list().flatMap(({ name }) => [`${name}.db`, `${name}.json`]));
        // Files with any other name are not ours.
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
    return stamp ? new Date(`${stamp.slice(1, 4).join("-")}T${stamp.slice(4).join(":")}`) : undefined;
}
