import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { type SnapshotStatus, snapshotStatus } from "./etcdutl";

/** etcd appends the SHA-256 of the store to the store, whose pages are of a multiple of 512 bytes. */
const hashBytes = 32;
const pageBytes = 512;

export interface Verified extends SnapshotStatus {
    /** Bytes of the file. */
    readonly size: number;
    /** Of the file, in hexadecimal. */
    readonly sha256: string;
}

/** Reads a snapshot back from the disk. @throws unless it is whole, as etcd sent it, and a store that etcd reads */
export async function verifySnapshot(path: string, etcdutl: string): Promise<Verified> {
    const { size } = await stat(path);
    if (size % pageBytes !== hashBytes) {
        throw new Error(`${path} is not whole: ${size} bytes are no store with a checksum at its end`);
    }
    const file = createHash("sha256");
    const store = createHash("sha256");
    for await (const chunk of createReadStream(path, { end: size - hashBytes - 1 })) {
        store.update(chunk);
        file.update(chunk);
    }
    const appended = await readEnd(path, size);
    const found = store.digest();
    if (!found.equals(appended)) {
        throw new Error(
            `${path} is damaged: the store's SHA-256 is ${found.toString("hex")}, ` +
                `etcd's own at its end is ${appended.toString("hex")}`,
        );
    }
    return { size, sha256: file.update(appended).digest("hex"), ...(await snapshotStatus(etcdutl, path)) };
}

async function readEnd(path: string, size: number): Promise<Buffer> {
    const file = await open(path);
    try {
        const end = Buffer.alloc(hashBytes);
        await file.read(end, 0, hashBytes, size - hashBytes);
        return end;
    } finally {
        await file.close();
    }
}
