import assert from "node:assert/strict";
import { createCipheriv, hkdfSync } from "node:crypto";
import fc from "fast-check";
import { decrypted, encrypted, encryptionOverhead } from "../../../../../agents/etcd/keeper/encryption";

const key = Buffer.alloc(32, 1);
const salt = Buffer.alloc(32, 2);
const name = "c-20261121T120000.000Z";

async function* pieces(data: Buffer, size: number): AsyncGenerator<Buffer> {
    for (let at = 0; at < data.length; at += size) yield data.subarray(at, at + size);
}

async function all(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
    const list: Buffer[] = [];
    for await (const chunk of chunks) list.push(chunk);
    return Buffer.concat(list);
}

const seal = (data: Buffer, size = 16) => all(encrypted(pieces(data, size), { key, name, salt }));
const unseal = (data: Buffer, size = 16, as = name) => all(decrypted(pieces(data, size), { key, name: as }));

describe("the encryption of a snapshot", () => {
    it("returns the original, in chunks of any size", () =>
        fc.assert(
            fc.asyncProperty(
                fc.uint8Array({ maxLength: 300 }),
                fc.integer({ min: 1, max: 99 }),
                fc.integer({ min: 1, max: 99 }),
                async (bytes, one, two) => {
                    const plain = Buffer.from(bytes);
                    const sealed = await seal(plain, one);
                    assert.equal(sealed.length, plain.length + encryptionOverhead);
                    assert.ok((await unseal(sealed, two)).equals(plain));
                },
            ),
        ));

    it("rejects it with any one bit changed, or truncated anywhere", async () => {
        const sealed = await seal(Buffer.from("some text"));
        for (let at = 0; at < sealed.length; at++) {
            const changed = Buffer.from(sealed);
            changed[at]! ^= 1;
            await assert.rejects(unseal(changed), { name: "DecryptionError" }, `byte ${at}`);
            await assert.rejects(unseal(sealed.subarray(0, at)), { name: "DecryptionError" }, `cut at ${at}`);
        }
        await assert.rejects(unseal(Buffer.concat([sealed, Buffer.alloc(1)])), { name: "DecryptionError" });
    });

    it("rejects it under another snapshot's name", async () => {
        await assert.rejects(unseal(await seal(Buffer.from("a")), 16, "other"), /or under another name/);
    });

    it("matches docs/etcd.md, so that it can be decrypted without this program", async () => {
        const header = Buffer.concat([Buffer.from("TWETCD1\n"), salt]);
        const bytes = Buffer.from(hkdfSync("sha256", key, salt, "tradewind etcd snapshot", 44));
        const cipher = createCipheriv("aes-256-gcm", bytes.subarray(0, 32), bytes.subarray(32));
        cipher.setAAD(Buffer.concat([header, Buffer.from(name)]));
        const body = Buffer.concat([cipher.update("some text"), cipher.final()]);
        assert.ok((await seal(Buffer.from("some text"))).equals(Buffer.concat([header, body, cipher.getAuthTag()])));
    });
});
