import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Part } from "../../../artifacts";
import { fillItems } from "../../../artifacts/fill";
import type { Way } from "../../../artifacts/item";
import { partItems } from "../../../artifacts/part-items";
import { prerequisites } from "../../../artifacts/prerequisites";
import { cacheDir, fileIndex } from "../../../cache";
import { useEmptyCache } from "./cache";

/** A part whose Go package does not exist: building anything of it fails. */
const part = (official: Part["official"], changes: Partial<Part> = {}): Part => ({
    name: "tool",
    version: "1.0.0",
    licence: "Apache-2.0",
    homepage: "https://example.com",
    usedHere: true,
    go: { folder: "etcd", module: "example.com/tool@v1.0.0", binaries: { tool: "example.com/nowhere/tool" } },
    official,
    ...changes,
});

describe("a part of the lock", () => {
    useEmptyCache();
    let folder: string;
    let server: Server;
    let site: string;
    let requests = 0;
    /** Requests for the tool that are refused first. */
    let failures = 0;
    const served: Record<string, Buffer> = {};

    before((done) => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-part-"));
        mkdirSync(join(folder, "top", "bin"), { recursive: true });
        writeFileSync(join(folder, "top", "bin", "tool"), "the official tool");
        writeFileSync(join(folder, "top", "bin", "helper"), "the official helper");
        execFileSync("tar", ["-czf", join(folder, "tool.tgz"), "-C", folder, "top"]);
        served["/tool.tgz"] = readFileSync(join(folder, "tool.tgz"));
        served["/tool"] = Buffer.from("the official tool");
        for (const [path, contents] of Object.entries(served)) {
            served[`${path}.sha256`] = Buffer.from(createHash("sha256").update(contents).digest("hex"));
        }
        server = createServer(({ url }, response) => {
            requests += 1;
            if (url === "/tool" && failures > 0) {
                failures -= 1;
                response.writeHead(503).end();
                return;
            }
            response.statusCode = served[url!] ? 200 : 404;
            response.end(served[url!]);
        }).listen(0, "127.0.0.1", () => {
            site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
            done();
        });
    });
    after((done) => {
        rmSync(folder, { recursive: true });
        server.close(done);
    });

    const cached = (place: string) => readFileSync(join(cacheDir(), place), "utf8");

    it("comes from the official archive, with the other files to keep", async () => {
        const url = `${site}/tool.tgz`;
        const official = { kind: "archive" as const, url, checksum: `${url}.sha256`, folder: "top/bin" };
        const items = partItems(part({ ...official, extra: ["helper"] }, { servedArchive: "tool/v1.0.0/tool.tgz" }));
        await fillItems(items, { say: () => {} });
        assert.equal(cached("bin/tool/1.0.0/tool"), "the official tool");
        assert.equal(cached("bin/tool/1.0.0/helper"), "the official helper");
        assert.equal(statSync(join(cacheDir(), "bin/tool/1.0.0/tool")).mode & 0o777, 0o755);
        assert.deepEqual(fileIndex(), {
            "tool/v1.0.0/tool.tgz": { sha256: String(served["/tool.tgz.sha256"]), source: "official" },
        });
    });

    it("comes as official binaries, one item each, served where nodes look for them", async () => {
        const official = { kind: "binaries" as const, url: `${site}/{binary}`, checksum: `${site}/{binary}.sha256` };
        const items = partItems(part(official, { served: { tool: "tool/v1.0.0/tool" } }));
        assert.deepEqual(
            items.map(({ id }) => id),
            ["tool 1.0.0"],
        );
        await fillItems(items, { say: () => {} });
        assert.equal(cached("files/tool/v1.0.0/tool"), "the official tool");
        assert.equal(cached("bin/tool/1.0.0/tool"), "the official tool");
    });

    it("is not built instead if the download does not match", async () => {
        const url = `${site}/tool.tgz`;
        const items = partItems(part({ kind: "archive", url, checksum: `${site}/tool.sha256` }));
        await assert.rejects(fillItems(items, { say: () => {} }), ({ message }: Error) => {
            assert(message.startsWith(`tool 1.0.0: ${url} must have SHA-256`), message);
            return message.endsWith("\nrun it again, or use --offline");
        });
    });

    const binary = (url: string) => partItems(part({ kind: "binaries", url, checksum: `${site}/tool.sha256` }));

    it("comes after two failed attempts", async () => {
        failures = 2;
        await fillItems(binary(`${site}/tool`), { say: () => {}, way: "online" });
        assert.equal(cached("bin/tool/1.0.0/tool"), "the official tool");
    });

    it("is not built instead if every attempt fails", async () => {
        failures = 3;
        await assert.rejects(fillItems(binary(`${site}/tool`), { say: () => {}, way: "online" }), {
            message: `tool 1.0.0: ${site}/tool: answers 503\nrun it again, or use --offline`,
        });
    });

    it("needs no compiler online", () => {
        const programs = (way: Way) => prerequisites(binary(`${site}/tool`), way).map(({ command }) => command);
        assert(!programs("online").includes("go"));
        assert(programs("offline").includes("go"));
    });

    // Nothing listens on port 1.
    const nowhere = "http://127.0.0.1:1";

    it("is built, with one message, if no site answers", async () => {
        const said: string[] = [];
        const items = partItems(part({ kind: "archive", url: `${nowhere}/a`, checksum: `${nowhere}/b` }));
        await assert.rejects(fillItems(items, { say: (line) => said.push(line) }), /^Error: tool 1.0.0: go build/);
        assert.deepEqual(
            said.filter((line) => line.includes("network")),
            [`no network: building from source; it needs go, and root for images (no answer from ${nowhere})`],
        );
    });

    it("is neither fetched nor built if only some sites answer", async () => {
        const items = partItems(part({ kind: "archive", url: `${site}/tool.tgz`, checksum: `${nowhere}/b` }));
        await assert.rejects(fillItems(items, { say: () => {} }), {
            message: `official sites must be reachable (got no answer from ${nowhere}): run it again, or use --offline`,
        });
    });

    it("is built without contacting any site if offline was chosen", async () => {
        requests = 0;
        const offline = { say: () => {}, way: "offline" as const };
        await assert.rejects(fillItems(binary(`${site}/tool`), offline), /^Error: tool 1.0.0: go build/);
        assert.equal(requests, 0);
    });

    it("is not asked for if the cache has it", async () => {
        await fillItems(binary(`${site}/tool`), { say: () => {} });
        requests = 0;
        await fillItems(binary(`${site}/tool`), { say: () => {} });
        assert.equal(requests, 0);
    });
});
