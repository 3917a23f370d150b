import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fetchScript, fetchTool } from "../../../../cluster/machines/system";
import { diffable } from "../../../../ignition";

const contents = "the kubelet\n";
const sha256 = createHash("sha256").update(contents).digest("hex");

describe("fetch", () => {
    const script = diffable(fetchTool())[fetchScript]!.replace(/^mode.*\n/, "");
    const asked: string[] = [];
    let server: Server;
    let base: string;
    let folder: string;

    before((done) => {
        server = createServer(({ url }, response) => {
            asked.push(url!);
            if (url === "/missing") response.writeHead(404);
            response.end(url === "/right" ? contents : "something else\n");
        }).listen(0, "127.0.0.1", () => {
            base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
            done();
        });
    });
    after((done) => void server.close(done));
    beforeEach(() => {
        asked.length = 0;
        folder = mkdtempSync(join(tmpdir(), "fetch-"));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    const file = () => join(folder, "1.99.0/kubelet");
    const fetch = (...names: string[]) =>
        new Promise<{ code: number; output: string }>((resolve) => {
            const args = [
                "-c",
                script,
                "fetch",
                file(),
                sha256,
                ...names.map((name) => (name.includes("//") ? name : `${base}/${name}`)),
            ];
            execFile("/bin/sh", args, (error, stdout, stderr) =>
                resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
            );
        });

    it("takes a file with the right hash, into a folder that it makes", async () => {
        assert.equal((await fetch("right")).code, 0);
        assert.equal(readFileSync(file(), "utf8"), contents);
        assert.equal(existsSync(`${file()}.part`), false);
    });

    it("reports a source with other contents and tries the next one", async () => {
        const { code, output } = await fetch("wrong", "right");
        assert.equal(code, 0);
        assert.match(output, new RegExp(`fetch: ${base}/wrong does not have the SHA-256 ${sha256}`));
        assert.equal(readFileSync(file(), "utf8"), contents);
        assert.deepEqual(asked, ["/wrong", "/right"]);
    });

    it("tries the next source if one does not have the file", async () => {
        assert.equal((await fetch("missing", "right")).code, 0);
        assert.deepEqual(asked, ["/missing", "/right"]);
    });

    it("prints no credentials of a URL", async () => {
        const [, address] = base.split("//");
        const secret = `http://me:hunter2@${address}`;
        const { output } = await fetch(`${secret}/wrong?signature=0123`, `${secret}/right`);
        assert.deepEqual(
            output
                .replaceAll(/^curl.*\n/gm, "")
                .split("\n")
                .slice(0, 3),
            [
                `fetch: ${base}/wrong?...`,
                `fetch: ${base}/right`,
                `fetch: ${base}/wrong?... does not have the SHA-256 ${sha256}`,
            ],
        );
        assert.ok(!/hunter2|0123/.test(output.replaceAll(sha256, "")));
    });

    it("stops at the first source that has it", async () => {
        await fetch("right", "wrong");
        assert.deepEqual(asked, ["/right"]);
    });

    it("fails if no source has it, without leaving a partial file", async () => {
        const { code, output } = await fetch("missing", "wrong");
        assert.equal(code, 1);
        assert.match(output, /fetch: could not download .*kubelet/);
        assert.equal(existsSync(file()), false);
    });

    it("does not download existing files again", async () => {
        await fetch("right");
        assert.equal((await fetch("right")).code, 0);
        assert.deepEqual(asked, ["/right"]);
    });

    it("fetches again what is damaged", async () => {
        await fetch("right");
        writeFileSync(file(), "half of i");
        assert.equal((await fetch("right")).code, 0);
        assert.equal(readFileSync(file(), "utf8"), contents);
    });
});
