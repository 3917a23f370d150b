import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OfficialRelease } from "../../../artifacts";
import { download, platform } from "../../../artifacts/download";

const contents = "a program";
const sha256 = createHash("sha256").update(contents).digest("hex");

describe("an official download", () => {
    let server: Server;
    let site: string;
    let folder: string;
    let published: string;

    before((done) => {
        server = createServer(({ url }, response) => {
            if (url === "/moved/tool") {
                response.writeHead(302, { location: `/${platform().arch}/tool` }).end();
                return;
            }
            if (url === "/cut/tool") {
                response.writeHead(200, { "content-length": 2 * contents.length }).write(contents);
                setImmediate(() => response.destroy());
                return;
            }
            const isFound = url === `/${platform().arch}/tool` || url === "/checksums";
            response.statusCode = isFound ? 200 : 404;
            response.end(url === "/checksums" ? published : contents);
        }).listen(0, "127.0.0.1", () => {
            site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
            done();
        });
    });
    after((done) => void server.close(done));
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-download-"));
        published = `${sha256}  tool\n`;
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    const release = (changes: Partial<OfficialRelease> = {}): OfficialRelease => ({
        kind: "binaries",
        url: `${site}/{arch}/{binary}`,
        checksum: `${site}/checksums`,
        ...changes,
    });

    it("is accepted with the published checksum", async () => {
        await download(release(), "tool", join(folder, "tool"), { pauses: [0] });
        assert.equal(readFileSync(join(folder, "tool"), "utf8"), contents);
    });

    it("is rejected with another one", async () => {
        published = `${"0".repeat(64)}\n`;
        await assert.rejects(download(release(), "tool", join(folder, "tool"), { pauses: [0] }), {
            message: `${site}/${platform().arch}/tool must have SHA-256 ${"0".repeat(64)} (got ${sha256})`,
        });
    });

    it("is rejected if the lock's checksum differs, whatever the site publishes", async () => {
        const pinned = release({ sha256: { [platform().arch]: "1".repeat(64) } });
        await assert.rejects(
            download(pinned, "tool", join(folder, "tool"), { pauses: [0] }),
            /must have SHA-256 1{64}/,
        );
    });

    it("is rejected if the site publishes no checksum for it", async () => {
        published = `${sha256}  another\n`;
        await assert.rejects(download(release(), "tool", join(folder, "tool"), { pauses: [0] }), /has no SHA-256 for/);
    });

    it("fails if the site does not have it", async () => {
        await assert.rejects(
            download(release({ url: `${site}/gone/{binary}` }), "tool", join(folder, "tool"), { pauses: [0] }),
            /\/gone\/tool: answers 404/,
        );
    });

    it("follows redirects, and fails if it is incomplete", async () => {
        await download(release({ url: `${site}/moved/{binary}` }), "tool", join(folder, "tool"), { pauses: [0] });
        assert.equal(readFileSync(join(folder, "tool"), "utf8"), contents);
        await assert.rejects(
            download(release({ url: `${site}/cut/{binary}` }), "tool", join(folder, "tool"), { pauses: [0] }),
            /aborted/,
        );
    });
});
