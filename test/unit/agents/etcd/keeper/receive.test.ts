import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { blobs } from "../../../../../agents/etcd/keeper/snapshot";

const line = (text: string) => `${JSON.stringify({ result: { blob: Buffer.from(text).toString("base64") } })}\n`;

async function received(...chunks: string[]): Promise<string> {
    const parts: Buffer[] = [];
    for await (const part of blobs(Readable.from(chunks.map((chunk) => Buffer.from(chunk))))) parts.push(part);
    return Buffer.concat(parts).toString();
}

describe("a snapshot's stream", () => {
    it("is reassembled from chunks of any size", async () => {
        const text = line("ab") + line("cd");
        for (let cut = 0; cut <= text.length; cut++) {
            assert.equal(await received(text.slice(0, cut), text.slice(cut)), "abcd");
        }
    });

    it("may end without a newline", async () => assert.equal(await received(line("ab").trim()), "ab"));

    it("fails with etcd's error if etcd aborts it", async () => {
        const end = JSON.stringify({ error: { code: 14, message: "etcdserver: server stopped" } });
        await assert.rejects(received(line("ab"), end), /the snapshot ended early: etcdserver: server stopped/);
    });

    it("fails if it is truncated in the middle of a chunk", async () => {
        await assert.rejects(received(line("ab"), line("cd").slice(0, 20)), SyntaxError);
    });
});
