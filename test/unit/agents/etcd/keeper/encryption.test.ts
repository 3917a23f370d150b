import assert from "node:assert/strict";
import { createCipheriv, hkdfSync } from "node:crypto";
import fc from "fast-check";
import { decrypted, encrypted, encryptionOverhead, parseKeys } from "../../../../../agents/etcd/keeper/encryption";

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

/** A snapshot begins with a page of etcd's database. */
const snapshot = (rest: Uint8Array | string) =>
    Buffer.concat([Buffer.alloc(16), Buffer.from("edda0ced", "hex"), Buffer.from(rest as string)]);
const text = snapshot("some text");

const seal = (data: Buffer, size = 16) => all(encrypted(pieces(data, size), { key, name, salt }));
const unseal = (data: Buffer, size = 16, as = name, keys: Buffer[] = [key]) =>
    all(decrypted(pieces(data, size), { keys, name: as }));

describe("the encryption of a snapshot", () => {
    it("returns the original, in chunks of any size", () =>
        fc.assert(
            fc.asyncProperty(
                fc.uint8Array({ maxLength: 300 }),
                fc.integer({ min: 1, max: 99 }),
                fc.integer({ min: 1, max: 99 }),
                async (bytes, one, two) => {
                    const plain = snapshot(bytes);
                    const sealed = await seal(plain, one);
                    assert.equal(sealed.length, plain.length + encryptionOverhead);
                    assert.ok((await unseal(sealed, two)).equals(plain));
                },
            ),
        ));

    it("rejects it with any one bit changed, or truncated anywhere", async () => {
        const sealed = await seal(text);
        for (let at = 0; at < sealed.length; at++) {
            const changed = Buffer.from(sealed);
            changed[at]! ^= 1;
            await assert.rejects(unseal(changed), { name: "DecryptionError" }, `byte ${at}`);
            await assert.rejects(unseal(sealed.subarray(0, at)), { name: "DecryptionError" }, `cut at ${at}`);
        }
        await assert.rejects(unseal(Buffer.concat([sealed, Buffer.alloc(1)])), { name: "DecryptionError" });
    });

    it("rejects it under another snapshot's name", async () => {
        await assert.rejects(unseal(await seal(text), 16, "other"), {
            name: "DecryptionError",
            message: "other is damaged or truncated, or is another snapshot that was renamed",
        });
    });

    it("finds the right one of several keys", async () => {
        const keys = [Buffer.alloc(32, 8), Buffer.alloc(32, 9), key];
        assert.ok((await unseal(await seal(text), 16, name, keys)).equals(text));
    });

    const refused: [string, (sealed: Buffer) => Buffer, Buffer[], string][] = [
        ["no key", (sealed) => sealed, [], "is encrypted, and there is no key"],
        [
            "another key",
            (sealed) => sealed,
            [Buffer.alloc(32, 9)],
            "was not encrypted with the only known key, or its beginning is damaged",
        ],
        [
            "other keys",
            (sealed) => sealed,
            [Buffer.alloc(32, 8), Buffer.alloc(32, 9)],
            "was not encrypted with any of the 2 known keys, or its beginning is damaged",
        ],
        ["a few bytes", (sealed) => sealed.subarray(0, 20), [key], "is truncated: it has only 20 bytes"],
        [
            "a missing end",
            (sealed) => sealed.subarray(0, -1),
            [key],
            "is damaged or truncated, or is another snapshot that was renamed",
        ],
        ["a plain snapshot", () => snapshot(Buffer.alloc(99)), [key], "is not encrypted"],
    ];
    for (const [what, change, keys, message] of refused) {
        it(`says what is wrong with ${what}`, async () => {
            const sealed = change(await seal(text));
            await assert.rejects(unseal(sealed, 16, name, keys), {
                name: "DecryptionError",
                message: `${name} ${message}`,
            });
        });
    }

    it("has keys in base64, one per line", () => {
        const [one, two] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
        const lines = ["# newest first", one.toString("base64"), "", two.toString("base64"), ""];
        assert.deepEqual(parseKeys(lines.join("\n"), "keys"), [one, two]);
        const legal = "keys must have keys of 32 bytes in base64, one per line";
        assert.throws(() => parseKeys("aHVzaA==\n", "keys"), { message: `${legal} (got one of 4 bytes)` });
        assert.throws(() => parseKeys("\n", "keys"), { message: `${legal} (got none)` });
    });

    it("matches docs/etcd.md, so that it can be decrypted without this program", async () => {
        const header = Buffer.concat([Buffer.from("TWETCD1\n"), salt]);
        const bytes = Buffer.from(hkdfSync("sha256", key, salt, "tradewind etcd snapshot", 44));
        const cipher = createCipheriv("aes-256-gcm", bytes.subarray(0, 32), bytes.subarray(32));
        cipher.setAAD(Buffer.concat([header, Buffer.from(name)]));
        const body = Buffer.concat([cipher.update(text), cipher.final()]);
        assert.ok((await seal(text)).equals(Buffer.concat([header, body, cipher.getAuthTag()])));
    });
});
