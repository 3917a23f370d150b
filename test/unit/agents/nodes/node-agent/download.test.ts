import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { download } from "../../../../../agents/nodes/node-agent/download";

const contents = randomBytes(8_000_000);
const sha256 = createHash("sha256").update(contents).digest("hex");

/** A server that closes the connection as soon as it has sent everything, or a part, depending on the path. */
function answer(socket: Socket): void {
    socket.on("error", () => undefined);
    socket.once("data", (request) => {
        const path = /^GET (\S+)/.exec(request.toString())?.[1] ?? "";
        const head = (status: string, ...headers: string[]) =>
            socket.write([`HTTP/1.1 ${status}`, "Connection: close", ...headers, "", ""].join("\r\n"));
        if (path === "/file" || path === "/cut") {
            head("200 OK", `Content-Length: ${contents.length}`);
            socket.end(path === "/file" ? contents : contents.subarray(0, 1_000_000));
        } else if (path.startsWith("/moved")) {
            head("302 Found", "Location: file", "Content-Length: 0");
            socket.end();
        } else if (path === "/loop") {
            head("302 Found", "Location: /loop", "Content-Length: 0");
            socket.end();
        } else {
            head("404 Not Found", "Content-Length: 0");
            socket.end();
        }
    });
}

describe("the download of an executable", () => {
    let server: Server;
    let folder: string;
    const at = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`;
    const target = () => join(folder, "kubelet");

    before(async () => {
        server = createServer(answer).listen(0, "127.0.0.1");
        await once(server, "listening");
    });
    after(() => server.close());
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-download-"));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("is complete from a server that closes the connection while there is much left to read", async () => {
        for (let times = 0; times < 5; times++) await download([at("file")], sha256, target());
        assert.ok(readFileSync(target()).equals(contents));
    });

    it("follows redirects, but not forever", async () => {
        await download([at("moved")], sha256, target());
        assert.ok(readFileSync(target()).equals(contents));
        await assert.rejects(download([at("loop")], sha256, target()), /loop: redirects more than 5 times/);
    });

    it("reports no credentials of a URL, since its error becomes an Event", async () => {
        const url = at("nothing?signature=0123").replace("//", "//me:hunter2@");
        const why = `could not download ${target()}: ${at("nothing")}?…: answers 404`;
        await assert.rejects(download([url], sha256, target()), { message: why });
    });

    it("tries the next source if one lacks the file, is down, or has only a part of it", async () => {
        const gone = "http://127.0.0.1:1/file";
        await download([at("nothing"), gone, at("cut"), at("file")], sha256, target());
        assert.ok(readFileSync(target()).equals(contents));
        await assert.rejects(download([at("nothing"), gone, at("cut")], sha256, `${target()}2`), (error: Error) => {
            assert.match(error.message, /nothing: answers 404; http:\S+: .*ECONNREFUSED.*; http:\S+cut: /);
            return true;
        });
        assert.ok(!existsSync(`${target()}2`) && !existsSync(`${target()}2.part`));
    });
});
