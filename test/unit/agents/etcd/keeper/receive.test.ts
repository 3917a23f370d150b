import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { blobs } from "../../../../../agents/etcd/keeper/snapshot";

const line = (text: string) => `${JSON.stringify({ result: { blob: Buffer.from(text).toString("base64") } })}\n`;

async function received(...chunks: string[]): Promise<string> {
    const parts: Buffer[] = [];
    for await (const part of blobs(Readable.from(chunks.map((chunk) => Buffer.from(chunk))))) parts.push(part);
    return Buffer.concat(parts).toString();
}

describe("A snapshot's stream", () => {
    it("is put together whatever the pieces in which it comes", async () => {
        const text = line("ab") + line("cd");
        for (let cut = 0; cut <= text.length; cut++) {
            assert.equal(await received(text.slice(0, cut), text.slice(cut)), "abcd");
        }
    });

    it("may end without a newline", async () => assert.equal(await received(line("ab").trim()), "ab"));

    it("that etcd breaks off is an error with etcd's words", async () => {
        const end = JSON.stringify({ error: { code: 14, message: "etcdserver: server stopped" } });
        await assert.rejects(received(line("ab"), end), /the snapshot ended early: etcdserver: server stopped/);
    });

    it("that is cut in the middle of a piece is an error", async () => {
        await assert.rejects(received(line("ab"), line("cd").slice(0, 20)), SyntaxError);
    });
});
