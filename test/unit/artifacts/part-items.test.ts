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
import { partItems } from "../../../artifacts/part-items";
import { cacheDir, fileIndex } from "../../../cache";
import { useEmptyCache } from "./cache";

/** A part whose Go package does not exist: building anything of it fails. */
const part = (official: Part["official"], changes: Partial<Part> = {}): Part => ({
    name: "tool",
    version: "1.0.0",
    licence: "Apache-2.0",
    homepage: "https://example.com",
    go: { folder: "etcd", module: "example.com/tool@v1.0.0", binaries: { tool: "example.com/nowhere/tool" } },
    official,
    ...changes,
});

describe("a part of the lock", () => {
    useEmptyCache();
    let folder: string;
    let server: Server;
    let site: string;
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

    it("is built, with a message, if the download does not match", async () => {
        const said: string[] = [];
        const url = `${site}/tool.tgz`;
        const items = partItems(part({ kind: "archive", url, checksum: `${site}/tool.sha256` }));
        await assert.rejects(fillItems(items, { say: (line) => said.push(line) }), /^Error: tool 1.0.0: go build/);
        assert(
            said.some((line) => line.startsWith(`${url} must have SHA-256`) && line.endsWith("building tool instead")),
        );
    });
});
