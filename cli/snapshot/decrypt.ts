import { createHash } from "node:crypto";
import { basename } from "node:path";
import {
    DecryptionError,
    decrypted,
    isEncryptedSnapshot,
    isPlainSnapshot,
    parseKeys,
} from "../../agents/etcd/keeper/encryption";
import { hashBytes, pageBytes } from "../../agents/etcd/keeper/snapshot";
import { value } from "../../command-line/parse";
import { readInput } from "../../command-line/read-input";
import type { RecoveryRecord } from "../../components/bootstrap/bootstrap";

/** The option for keys that the stack's state lacks. */
export const snapshotKeysOption = value(
    "FILE",
    "keys that decrypt the snapshot (32 bytes in base64, one per line), in addition to those in the stack's state",
);

/** Keys that encrypted a cluster's snapshots: those in its stack's state, and those in a file. */
export function snapshotKeys(record: Pick<RecoveryRecord, "snapshotSecrets"> | undefined, file?: string): string[] {
    const own = record?.snapshotSecrets?.encryptionKeys ?? [];
    if (file === undefined) return [...own];
    const given = parseKeys(readInput("--snapshot-keys", file).toString("utf8"), file).map((key) =>
        key.toString("base64"),
    );
    return [...given, ...own];
}

/** A snapshot in a local file, decrypted if necessary. @param keys - in base64 */
export async function readSnapshot(path: string, keys: readonly string[]): Promise<Buffer> {
    const contents = readInput("the snapshot", path);
    if (isPlainSnapshot(contents)) return whole(path, contents);
    if (!isEncryptedSnapshot(contents)) {
        throw new Error(`${path} must be an etcd snapshot or an encrypted one of a store (.db.enc)`);
    }
    const name = basename(path).replace(/\.db\.enc$/, "");
    const chunks: Buffer[] = [];
    try {
        for await (const chunk of decrypted(asStream(contents), { keys: keys.map(fromBase64), name })) {
            chunks.push(chunk);
        }
    } catch (error) {
        if (!(error instanceof DecryptionError)) throw error;
        const advice =
            "Its name must be the one in the store, and keys that the stack lacks are given by --snapshot-keys";
        throw new Error(`${path}: ${error.message}. ${advice}`);
    }
    return whole(path, Buffer.concat(chunks));
}

/** As the agent that restores it requires, but before anything is changed. */
function whole(path: string, contents: Buffer): Buffer {
    const size = contents.length - hashBytes;
    if (size % pageBytes !== 0) {
        throw new Error(`${path} is incomplete: ${contents.length} bytes are not a store followed by a checksum`);
    }
    if (!createHash("sha256").update(contents.subarray(0, size)).digest().equals(contents.subarray(size))) {
        throw new Error(`${path} is damaged: its store does not match the checksum at its end`);
    }
    return contents;
}

async function* asStream(contents: Buffer): AsyncGenerator<Buffer> {
    yield contents;
}

function fromBase64(text: string): Buffer {
    return Buffer.from(text, "base64");
}
