import { createHash, randomBytes } from "node:crypto";
import { createReadStream, createWriteStream, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { json } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { cachedRole } from "../../../clients/aws/instance-metadata";
import type { AwsCredentials } from "../../../clients/aws/query";
import { Bucket, type Content } from "../../../clients/aws/s3-bucket";
import { type SnapshotManifest, snapshotTime } from "./directory";
import { decrypted, encrypted, encryptionOverhead, parseKeys, saltBytes } from "./encryption";
import type { Retention, S3Plan } from "./plan";
import { expired } from "./prune";

/** Stored next to a snapshot in the store, as `<name>.json`. */
interface StoredManifest extends SnapshotManifest {
    readonly object: {
        readonly key: string;
        /** Bytes. */
        readonly size: number;
        /** In hexadecimal. */
        readonly sha256: string;
        readonly encryption: "AES-256-GCM" | "none";
    };
}

interface StoredSnapshot {
    readonly name: string;
    /** RFC 3339. */
    readonly time: string;
    readonly keys: readonly string[];
    /** Its manifest, which is stored last, exists. */
    readonly isWhole: boolean;
}

/** Longer than any upload takes: an older object without a manifest was left by a killed run. */
const uploadMilliseconds = 24 * 3_600_000;

/** The snapshots of one cluster in an S3-compatible store. */
export class SnapshotStore {
    readonly #bucket: Bucket;

    constructor(
        readonly plan: S3Plan,
        readonly cluster: string,
    ) {
        const { secrets, instanceRole } = plan;
        const readCredentials = secrets === undefined || instanceRole ? cachedRole() : () => readS3Credentials(secrets);
        this.#bucket = new Bucket({ ...plan, readCredentials });
    }

    /** Stores a snapshot, reads it back and returns its URL. */
    async add(manifest: SnapshotManifest, file: string): Promise<string> {
        const { name } = manifest;
        const content = await this.#content(manifest, file);
        const { size, sha256 } = content;
        const key = this.#key(`${name}.db${this.plan.isEncrypted ? ".enc" : ""}`);
        await this.#bucket.put(key, content);
        await this.#readBack(key, content);
        const encryption = this.plan.isEncrypted ? ("AES-256-GCM" as const) : ("none" as const);
        const stored: StoredManifest = { ...manifest, object: { key, size, sha256, encryption } };
        await this.#bucket.putText(this.#key(`${name}.json`), `${JSON.stringify(stored, null, 2)}\n`);
        return `s3://${this.plan.bucket}/${key}`;
    }

    /** Oldest first. */
    async list(): Promise<StoredSnapshot[]> {
        const keys = await this.#bucket.list(this.#key(`${this.cluster}-`));
        const names = new Map<string, string[]>();
        for (const key of keys) {
            const name = /([^/]+?)\.(db|db\.enc|json)$/.exec(key)?.[1];
            // Another cluster's name may begin with this one's.
            if (name && key.startsWith(this.#key(name)) && snapshotTime(this.cluster, name)) {
                names.set(name, [...(names.get(name) ?? []), key]);
            }
        }
        return [...names]
            .map(([name, of]) => ({
                name,
                time: snapshotTime(this.cluster, name)!.toISOString(),
                keys: of,
                isWhole: of.length > 1 && of.some((key) => key.endsWith(".json")),
            }))
            .sort((a, b) => a.time.localeCompare(b.time));
    }

    /** Removes snapshots beyond the retention limits and the leftovers of killed runs. Returns their names. */
    async prune(retention: Retention, now: Date): Promise<string[]> {
        const all = await this.list();
        const isLeft = ({ isWhole, time }: StoredSnapshot) =>
            !isWhole && now.getTime() - Date.parse(time) > uploadMilliseconds;
        const whole = all.filter(({ isWhole }) => isWhole);
        const deletable = [...expired(whole, retention, now), ...all.filter(isLeft)];
        for (const { keys } of deletable) {
            // The manifest first: without it the snapshot does not count.
            for (const key of [...keys].sort((a, b) => Number(b.endsWith(".json")) - Number(a.endsWith(".json")))) {
                await this.#bucket.remove(key);
            }
        }
        return deletable.map(({ name }) => name);
    }

    async manifest(name: string): Promise<StoredManifest> {
        return (await json(await this.#bucket.get(this.#key(`${name}.json`)))) as StoredManifest;
    }

    /**
     * Writes a decrypted snapshot to a new file and flushes it to the disk. @throws if it does not match its manifest
     */
    async fetch(name: string, file: string): Promise<StoredManifest> {
        const manifest = await this.manifest(name);
        const { key, encryption } = manifest.object;
        const hash = createHash("sha256");
        const target = createWriteStream(file, { flags: "wx", mode: 0o600, flush: true });
        const object = await this.#bucket.get(key);
        const plain = encryption === "none" ? object : decrypted(object, { keys: readKeys(this.plan.secrets), name });
        await pipeline(plain, tap(hash), target);
        const sha256 = hash.digest("hex");
        if (sha256 !== manifest.sha256) {
            throw new Error(`${key} must have SHA-256 ${manifest.sha256} (got ${sha256})`);
        }
        return manifest;
    }

    async #readBack(key: string, { size, sha256 }: Content): Promise<void> {
        const found = await measure(await this.#bucket.get(key));
        if (found.sha256 !== sha256 || found.size !== size) {
            throw new Error(
                `${key} must have ${size} bytes with SHA-256 ${sha256}, but read back ${found.size} bytes with ${found.sha256}`,
            );
        }
    }

    /** Encryption runs twice with the same salt: once for the hash, which is sent first, and once for the content. */
    async #content({ name, size, sha256 }: SnapshotManifest, file: string): Promise<Content> {
        if (!this.plan.isEncrypted) {
            return { open: () => createReadStream(file), size, sha256 };
        }
        const [key] = readKeys(this.plan.secrets);
        if (key === undefined) throw new Error(`${this.plan.secrets}/${secretFiles.encryptionKey} does not exist`);
        const salt = randomBytes(saltBytes);
        const open = () => Readable.from(encrypted(createReadStream(file), { key, name, salt }));
        const measured = await measure(open());
        if (measured.size !== size + encryptionOverhead) {
            throw new Error(`${file} must have ${size} bytes (got ${measured.size - encryptionOverhead})`);
        }
        return { open, ...measured };
    }

    #key(name: string): string {
        return `${this.plan.prefix}/${name}`;
    }
}

function tap(hash: ReturnType<typeof createHash>) {
    return async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
            hash.update(chunk);
            yield chunk;
        }
    };
}

async function measure(stream: Readable): Promise<{ size: number; sha256: string }> {
    const hash = createHash("sha256");
    let size = 0;
    for await (const chunk of stream) {
        hash.update(chunk);
        size += chunk.length;
    }
    return { size, sha256: hash.digest("hex") };
}

/** The files of the Secret with a store's credentials. */
export const secretFiles = {
    accessKeyId: "access-key-id",
    secretAccessKey: "secret-access-key",
    encryptionKey: "encryption-key",
} as const;

function readS3Credentials(directory: string): AwsCredentials {
    const read = (name: string) => readFileSync(join(directory, name), "utf8").trim();
    return { accessKeyId: read(secretFiles.accessKeyId), secretAccessKey: read(secretFiles.secretAccessKey) };
}

/** The first one encrypts. */
function readKeys(directory: string | undefined): Buffer[] {
    if (directory === undefined) return [];
    const path = join(directory, secretFiles.encryptionKey);
    return existsSync(path) ? parseKeys(readFileSync(path, "utf8"), path) : [];
}
