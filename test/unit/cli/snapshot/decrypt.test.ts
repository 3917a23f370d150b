import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encrypted } from "../../../../agents/etcd/keeper/encryption";
import { readSnapshot, snapshotKeys } from "../../../../cli/snapshot/decrypt";

const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;
const [own, given] = [key, other].map((each) => each.toString("base64")) as [string, string];
const name = "c-20261121T120000.000Z";
const store = Buffer.concat([Buffer.alloc(16), Buffer.from("edda0ced", "hex"), Buffer.alloc(492, "the rest")]);
const plain = Buffer.concat([store, createHash("sha256").update(store).digest()]);

async function sealed(): Promise<Buffer> {
    const chunks: Buffer[] = [];
    async function* whole() {
        yield plain;
    }
    for await (const chunk of encrypted(whole(), { key, name, salt: Buffer.alloc(32, 3) })) chunks.push(chunk);
    return Buffer.concat(chunks);
}

describe("a local snapshot", () => {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-decrypt-"));
    const file = (as: string, contents: Buffer | string) => {
        const path = join(folder, as);
        writeFileSync(path, contents);
        return path;
    };
    after(() => rmSync(folder, { recursive: true }));

    it("is decrypted with any key of the stack, and used as it is if it is not encrypted", async () => {
        const path = file(`${name}.db.enc`, await sealed());
        assert.deepEqual(await readSnapshot(path, [given, own]), plain);
        assert.deepEqual(await readSnapshot(file("any.db", plain), []), plain);
    });

    it("is refused if it is incomplete or damaged, although it begins like one", async () => {
        const damaged = Buffer.from(plain);
        damaged[200] = 0;
        for (const [contents, message] of [
            [plain.subarray(0, 300), "is incomplete: 300 bytes are not a store followed by a checksum"],
            [store.subarray(0, 24), "is incomplete: 24 bytes are not a store followed by a checksum"],
            [damaged, "is damaged: its store does not match the checksum at its end"],
        ] as const) {
            const path = file("bad.db", contents);
            await assert.rejects(readSnapshot(path, []), { message: `${path} ${message}` });
        }
    });

    const advice = "Its name must be the one in the store, and keys that the stack lacks are given by --snapshot-keys";
    const refused: [string, string, (whole: Buffer) => Buffer, string[], string][] = [
        [
            "without a key",
            `${name}.db.enc`,
            (whole) => whole,
            [],
            `${name} is encrypted, and there is no key. ${advice}`,
        ],
        [
            "with another key",
            `${name}.db.enc`,
            (whole) => whole,
            [given],
            `${name} was not encrypted with the only known key, or its beginning is damaged. ${advice}`,
        ],
        [
            "that is truncated",
            `${name}.db.enc`,
            (whole) => whole.subarray(0, -3),
            [own],
            `${name} is damaged or truncated, or is another snapshot that was renamed. ${advice}`,
        ],
        [
            "that was renamed",
            "backup.db.enc",
            (whole) => whole,
            [own],
            `backup is damaged or truncated, or is another snapshot that was renamed. ${advice}`,
        ],
    ];
    for (const [what, as, change, keys, message] of refused) {
        it(`${what} is refused with the reason`, async () => {
            const path = file(as, change(await sealed()));
            await assert.rejects(readSnapshot(path, keys), { message: `${path}: ${message}` });
        });
    }

    it("of another format is refused", async () => {
        const path = file("notes.txt", "these are no snapshots");
        const message = `${path} must be an etcd snapshot or an encrypted one of a store (.db.enc)`;
        await assert.rejects(readSnapshot(path, [own]), { message });
    });

    it("has keys in the stack's state and in a file", () => {
        const record = { snapshotSecrets: { encryptionKeys: [own] } };
        assert.deepEqual(snapshotKeys(record), [own]);
        assert.deepEqual(snapshotKeys({}), []);
        assert.deepEqual(snapshotKeys(undefined, file("keys", `# of last year\n${given}\n`)), [given]);
        assert.deepEqual(snapshotKeys(record, file("keys", given)), [given, own]);
        assert.throws(() => snapshotKeys(record, file("bad", "aHVzaA==")), /bad must have keys of 32 bytes in base64/);
    });
});
