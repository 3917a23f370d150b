import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";

/*
 * An encrypted object: magic (8 bytes), salt (32), AES-256-GCM ciphertext, its tag (16). Key and nonce are the 44 bytes
 * of HKDF-SHA256 of the cluster's key, the salt and `info`. Additional authenticated data: magic, salt and the
 * snapshot's name, so one snapshot cannot be passed off as another.
 */
const magic = Buffer.from("TWETCD1\n");
export const saltBytes = 32;
const tagBytes = 16;
const headerBytes = magic.length + saltBytes;
const info = "tradewind etcd snapshot";
const keyBytes = 32;

/** Bytes that encryption adds to a snapshot. */
export const encryptionOverhead = headerBytes + tagBytes;

/** The object has another key or name, or was modified. */
export class DecryptionError extends Error {
    override readonly name = "DecryptionError";
}

export interface Sealing {
    /** 32 bytes, for all snapshots. */
    readonly key: Buffer;
    /** Name of the snapshot. */
    readonly name: string;
    /** Random for each snapshot, so that key and nonce are unique. */
    readonly salt: Buffer;
}

export async function* encrypted(plain: AsyncIterable<Buffer>, { key, name, salt }: Sealing): AsyncGenerator<Buffer> {
    const header = Buffer.concat([magic, salt]);
    const { cipherKey, nonce } = derive(key, salt);
    const cipher = createCipheriv("aes-256-gcm", cipherKey, nonce).setAAD(Buffer.concat([header, Buffer.from(name)]));
    yield header;
    for await (const chunk of plain) {
        yield cipher.update(chunk);
    }
    cipher.final();
    yield cipher.getAuthTag();
}

/** Whether a file begins like an encrypted snapshot. */
export function isEncryptedSnapshot(start: Buffer): boolean {
    return start.subarray(0, magic.length).equals(magic);
}

/** Whether a file begins like a snapshot that is not encrypted: the first page of etcd's database. */
export function isPlainSnapshot(start: Buffer): boolean {
    return start.subarray(boltMagicAt, plainStart).equals(boltMagic);
}

const boltMagicAt = 16;
/** In the first page, after its header. Source: bbolt, `internal/common/meta.go` and `types.go`. */
const boltMagic = Buffer.from("edda0ced", "hex");
const plainStart = boltMagicAt + boltMagic.length;

interface Unsealing extends Pick<Sealing, "name"> {
    /** The right one is found by what it decrypts. */
    readonly keys: readonly Buffer[];
}

/** Its output can be trusted only once it has ended without an error. */
export async function* decrypted(sealed: AsyncIterable<Buffer>, { keys, name }: Unsealing): AsyncGenerator<Buffer> {
    let decipher: ReturnType<typeof createDecipher> | undefined;
    let held: Buffer = Buffer.alloc(0);
    for await (const chunk of sealed) {
        held = Buffer.concat([held, chunk]);
        if (decipher === undefined && held.length >= headerBytes + plainStart) {
            decipher = createDecipher(keys, name, held);
            held = held.subarray(headerBytes);
        }
        if (decipher !== undefined && held.length > tagBytes) {
            yield decipher.update(held.subarray(0, -tagBytes));
            held = held.subarray(-tagBytes);
        }
    }
    if (decipher === undefined) {
        throw new DecryptionError(`${name} is truncated: it has only ${held.length} bytes`);
    }
    try {
        decipher.setAuthTag(held).final();
    } catch {
        throw new DecryptionError(`${name} is damaged or truncated, or is another snapshot that was renamed`);
    }
}

function createDecipher(keys: readonly Buffer[], name: string, start: Buffer) {
    if (!isEncryptedSnapshot(start)) {
        throw new DecryptionError(`${name} is not encrypted`);
    }
    const header = start.subarray(0, headerBytes);
    const salt = header.subarray(magic.length);
    const first = start.subarray(headerBytes, headerBytes + plainStart);
    const decipherBy = (key: Buffer) => {
        const { cipherKey, nonce } = derive(key, salt);
        return createDecipheriv("aes-256-gcm", cipherKey, nonce, { authTagLength: tagBytes });
    };
    if (keys.length === 0) {
        throw new DecryptionError(`${name} is encrypted, and there is no key`);
    }
    const key = keys.find((each) => isPlainSnapshot(decipherBy(each).update(first)));
    if (key === undefined) {
        const known = keys.length === 1 ? "the only known key" : `any of the ${keys.length} known keys`;
        throw new DecryptionError(`${name} was not encrypted with ${known}, or its beginning is damaged`);
    }
    return decipherBy(key).setAAD(Buffer.concat([header, Buffer.from(name)]));
}

/** Keys of 32 bytes in base64, one per line. Throws without showing any. @param where - for the error */
export function parseKeys(text: string, where: string): Buffer[] {
    const lines = text.split("\n").filter((line) => !/^\s*(#.*)?$/.test(line));
    const keys = lines.map((line) => Buffer.from(line.trim(), "base64"));
    const wrong = keys.find(({ length }) => length !== keyBytes);
    if (keys.length === 0 || wrong !== undefined) {
        const got = wrong === undefined ? "none" : `one of ${wrong.length} bytes`;
        throw new Error(`${where} must have keys of ${keyBytes} bytes in base64, one per line (got ${got})`);
    }
    return keys;
}

function derive(key: Buffer, salt: Buffer): { cipherKey: Buffer; nonce: Buffer } {
    const bytes = Buffer.from(hkdfSync("sha256", key, salt, info, 44));
    return { cipherKey: bytes.subarray(0, 32), nonce: bytes.subarray(32) };
}
