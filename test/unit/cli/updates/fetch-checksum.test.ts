import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fetchChecksum } from "../../../../cli/updates/command";
import { UsageError } from "../../../../command-line/parse";

const sha256 = "ab".repeat(32);

describe("a downloaded checksum", () => {
    let server: Server;
    let base: string;
    before(async () => {
        server = createServer(({ url = "" }, answer) => {
            if (url === "/good") answer.end(`${sha256}\n`);
            else if (url === "/page") answer.end("<html>");
            else if (url === "/moved") answer.writeHead(302, { location: "/good" }).end();
            else if (url === "/away") answer.writeHead(302, { location: "ftp://a.test/good" }).end();
            else if (url === "/round") answer.writeHead(302, { location: "/round" }).end();
            else answer.writeHead(404).end();
        });
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    after(() => server.close());

    it("is the server's response, also after redirects", async () => {
        assert.equal(await fetchChecksum(`${base}/good`, "http:"), sha256);
        assert.equal(await fetchChecksum(`${base}/moved`, "http:"), sha256);
    });

    for (const [path, message] of [
        ["page", /page must return a SHA-256 of 64 hexadecimal digits, got "<html>"$/],
        ["none", /none could not be downloaded: HTTP 404$/],
        ["round", /round could not be downloaded: HTTP 302$/],
        ["away", /^refused to download ftp:\/\/a\.test\/good without http:\/\//],
    ] as const) {
        it(`is rejected: ${path}`, async () => {
            await assert.rejects(
                fetchChecksum(`${base}/${path}`, "http:"),
                (error) => error instanceof UsageError && message.test(error.message),
            );
        });
    }

    it("requires HTTPS", async () => {
        await assert.rejects(fetchChecksum(`${base}/good`), /refused to download .* without https:\/\//);
    });
});
