import { hkdfSync } from "node:crypto";
import { requireDuration } from "./durations";
import type { EtcdS3, EtcdSnapshots } from "./model";
import type { EtcdS3Options, EtcdSnapshotOptions, EtcdSnapshotSecrets } from "./options";
import { conflictsWith, invalid } from "./validate";

/** Maximum number of snapshots to keep: listing more is slow, and the oldest are useless. */
const maxKeep = 10_000;

/** Length of an AES-256 key. */
const encryptionKeyBytes = 32;

/** Validates the snapshot options and applies the defaults. */
export function resolveEtcdSnapshots(cluster: string, options: EtcdSnapshotOptions): EtcdSnapshots {
    const { interval = "1h", keep = 24, maxAge, s3, directory = "/var/lib/tradewind/etcd-snapshots" } = options;
    if (!Number.isInteger(keep) || keep < 1 || keep > maxKeep) {
        throw invalid("etcdSnapshots.keep", `a whole number from 1 to ${maxKeep}`, keep);
    }
    if (!/^(\/[\w.-]+){2,}$/.test(directory) || /\/\.\.?(\/|$)/.test(directory)) {
        throw invalid("etcdSnapshots.directory", "an absolute path of two or more plain names", directory);
    }
    // Directories managed by etcd and the kubelet.
    const [reserved] = ["/var/lib/etcd", "/var/lib/kubelet", "/etc/kubernetes"].filter((path) =>
        `${directory}/`.startsWith(`${path}/`),
    );
    if (reserved) throw invalid("etcdSnapshots.directory", `outside of ${reserved}`, directory);
    return {
        intervalSeconds: requireDuration("etcdSnapshots.interval", interval, "1m"),
        keep,
        ...(maxAge !== undefined && { maxAgeSeconds: requireDuration("etcdSnapshots.maxAge", maxAge, "1h") }),
        directory,
        keys: snapshotKeys(options),
        ...(s3 && { s3: resolveS3(cluster, s3) }),
    };
}

/** Generations of the stack's own keys. They exist also while nothing is encrypted with them, so that none is lost. */
export function snapshotKeys({ keys, s3 }: Pick<EtcdSnapshotOptions, "keys" | "s3">): number[] {
    if (keys === undefined) return s3 === undefined ? [] : [1];
    const isGeneration = (each: unknown) => Number.isSafeInteger(each) && (each as number) > 0;
    if (!Array.isArray(keys) || new Set(keys).size !== keys.length || !keys.every(isGeneration)) {
        throw invalid("etcdSnapshots.keys", "a list of distinct whole numbers, 1 or more", keys);
    }
    return keys;
}

/** Derives an encryption key (32 bytes in base64) from a private key that is used for nothing else. */
export function snapshotKey(privateKeyPem: string): string {
    const bytes = hkdfSync("sha256", privateKeyPem, "", "tradewind etcd snapshots", encryptionKeyBytes);
    return Buffer.from(bytes).toString("base64");
}

function resolveS3(cluster: string, options: EtcdS3Options): EtcdS3 {
    const { endpoint, bucket, region = "us-east-1", prefix = cluster } = options;
    const { instanceRole = false, plainHttp = false, isEncrypted = true } = options;
    if (!/^https?:\/\/[a-z0-9.-]+(:\d+)?$/.test(endpoint)) {
        throw invalid("etcdSnapshots.s3.endpoint", "an http:// or https:// URL without a path", endpoint);
    }
    if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
        throw invalid("etcdSnapshots.s3.bucket", "a bucket name (3 to 63 characters of a-z, 0-9, . and -)", bucket);
    }
    if (!/^[a-z0-9-]+$/.test(region)) {
        throw invalid("etcdSnapshots.s3.region", "a region name (a-z, 0-9 and -)", region);
    }
    if (!/^[\w.-]+(\/[\w.-]+)*$/.test(prefix)) {
        throw invalid("etcdSnapshots.s3.prefix", "plain names separated by slashes", prefix);
    }
    return { endpoint, bucket, region, prefix, isEncrypted, plainHttp, instanceRole };
}

/** Refuses instance roles where machines have none. */
export function refuseInstanceRole({ s3 }: EtcdSnapshotOptions = {}): void {
    if (s3?.instanceRole) throw invalid("etcdSnapshots.s3.instanceRole", "false except on AWS", true);
}

/**
 * Refuses to send snapshots over a network that anyone may read. Not part of `resolveEtcdSnapshots`, because commands
 * read existing clusters.
 */
export function requirePrivateStore({ s3 }: Pick<EtcdSnapshots, "s3">): void {
    if (s3 === undefined || s3.isEncrypted || s3.plainHttp || s3.endpoint.startsWith("https://")) return;
    const legal =
        "an https:// URL, unless snapshots are encrypted (etcdSnapshots.s3.isEncrypted) or etcdSnapshots.s3.plainHttp " +
        "is true";
    throw invalid("etcdSnapshots.s3.endpoint", legal, s3.endpoint);
}

/** Whether the keeper has secrets of a store: its keys, or with an instance's role only the encryption key. */
export function hasSnapshotSecrets(s3: Pick<EtcdS3, "isEncrypted" | "instanceRole">): boolean {
    return !s3.instanceRole || s3.isEncrypted;
}

/** The secrets of a store. */
export interface StoreSecrets {
    readonly accessKeyId?: string;
    readonly secretAccessKey?: string;
    /** In base64. The first one encrypts, if snapshots are encrypted; all of them decrypt. @default none */
    readonly encryptionKeys?: readonly string[];
}

/** Checks the credentials of a store without printing any. */
export function requireSnapshotSecrets(
    { s3, keys: own }: Pick<EtcdSnapshots, "keys"> & { readonly s3?: Pick<EtcdS3, "isEncrypted" | "instanceRole"> },
    secrets: EtcdSnapshotSecrets | undefined,
): void {
    if (s3 === undefined) return;
    const { encryptionKey } = secrets ?? {};
    // A preview may not know a value yet, but it knows that there is one.
    const keys = { accessKeyId: "", secretAccessKey: "", ...secrets };
    for (const name of ["accessKeyId", "secretAccessKey"] as const) {
        const value = keys[name];
        if (s3.instanceRole) {
            if (value) throw conflictsWith(`etcdSnapshots.s3.${name}`, "instanceRole");
        } else if (value !== undefined && !/^\S+$/.test(value)) {
            throw invalid(`etcdSnapshots.s3.${name}`, "text without spaces", value ? "one with spaces" : "nothing");
        }
    }
    if (s3.isEncrypted && (encryptionKey !== undefined || own.length === 0)) {
        const bytes = Buffer.from(encryptionKey ?? "", "base64").length;
        if (bytes !== encryptionKeyBytes) {
            const unless = "or omitted to use a key of the stack (etcdSnapshots.keys)";
            const legal = `${encryptionKeyBytes} bytes in base64 (openssl rand -base64 ${encryptionKeyBytes}), ${unless}`;
            throw invalid("etcdSnapshots.s3.encryptionKey", legal, `${bytes} bytes`);
        }
    }
}
