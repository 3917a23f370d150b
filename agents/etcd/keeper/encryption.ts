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

/** Its output can be trusted only once it has ended without an error. */
export async function* decrypted(
    sealed: AsyncIterable<Buffer>,
    { key, name }: Omit<Sealing, "salt">,
): AsyncGenerator<Buffer> {
    let decipher: ReturnType<typeof createDecipher> | undefined;
    let held: Buffer = Buffer.alloc(0);
    for await (const chunk of sealed) {
        held = Buffer.concat([held, chunk]);
        if (decipher === undefined && held.length >= headerBytes) {
            decipher = createDecipher(key, name, held.subarray(0, headerBytes));
            held = held.subarray(headerBytes);
        }
        if (decipher !== undefined && held.length > tagBytes) {
            yield decipher.update(held.subarray(0, -tagBytes));
            held = held.subarray(-tagBytes);
        }
    }
    try {
        decipher!.setAuthTag(held).final();
    } catch {
        throw new DecryptionError(`${name} is damaged, or was encrypted with another key or under another name`);
    }
}

function createDecipher(key: Buffer, name: string, header: Buffer) {
    if (!header.subarray(0, magic.length).equals(magic)) {
        throw new DecryptionError(`${name} must be an encrypted snapshot`);
    }
    const { cipherKey, nonce } = derive(key, header.subarray(magic.length));
    const decipher = createDecipheriv("aes-256-gcm", cipherKey, nonce, { authTagLength: tagBytes });
    return decipher.setAAD(Buffer.concat([header, Buffer.from(name)]));
}

function derive(key: Buffer, salt: Buffer): { cipherKey: Buffer; nonce: Buffer } {
    const bytes = Buffer.from(hkdfSync("sha256", key, salt, info, 44));
    return { cipherKey: bytes.subarray(0, 32), nonce: bytes.subarray(32) };
}
