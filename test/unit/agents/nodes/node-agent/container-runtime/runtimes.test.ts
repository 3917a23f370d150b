import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ContainerRuntimes } from "../../../../../../agents/nodes/node-agent/container-runtime/runtimes";
import { runtimeId, runtimePrograms } from "../../../../../../agents/nodes/node-agent/layout";
import { type RuntimeFiles, runtimeFiles } from "../runtime-archive";

describe("container runtimes on a node's disk", () => {
    let folder: string;
    let server: Server;
    let runtimes: ContainerRuntimes;
    const served: Record<string, Buffer> = {};
    const files = runtimeFiles("2.4.2", "1.4.3");
    const sourceOf = ({ containerd, runc }: RuntimeFiles) => {
        const { port } = server.address() as AddressInfo;
        const source = ({ bytes, sha256 }: RuntimeFiles["runc"]) => {
            served[`/${sha256}`] = bytes;
            return { urls: [`http://127.0.0.1:${port}/${sha256}`], sha256 };
        };
        return { containerd: source(containerd), runc: source(runc) };
    };
    const id = runtimeId(files);
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

    before(async () => {
        server = createServer(({ url = "" }, answer) => answer.writeHead(served[url] ? 200 : 404).end(served[url]));
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    });
    after(() => server.close());
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "container-runtimes-"));
        runtimes = new ContainerRuntimes(folder);
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("are complete, with what a runtime needs and nothing else", async () => {
        assert.equal(runtimes.isHere(id), false);
        await runtimes.fetch(sourceOf(files));
        assert.equal(runtimes.isHere(id), true);
        assert.deepEqual(readdirSync(folder), [id]);
        assert.deepEqual(readdirSync(join(folder, id)).sort(), [...runtimePrograms].sort());
        assert.deepEqual(await runtimes.ask(id), { id, containerd: "2.4.2", runc: "1.4.3" });
    });

    it("leave nothing behind if files are missing or different", async () => {
        const source = sourceOf(files);
        served[`/${files.runc.sha256}`] = Buffer.from("another runc");
        await assert.rejects(runtimes.fetch(source), /runc: .*has SHA-256 /);
        served[`/${files.runc.sha256}`] = files.runc.bytes;
        served[`/${files.containerd.sha256}`] = Buffer.from("another archive");
        await assert.rejects(runtimes.fetch(source), /containerd\.tar\.gz: .*has SHA-256 /);
        assert.deepEqual(readdirSync(folder), []);
        const flat = { ...files, containerd: files.runc };
        await assert.rejects(runtimes.fetch(sourceOf(flat)), /incorrect header check/);
        assert.deepEqual(readdirSync(folder), []);
    });

    it("are unknown on a machine that does not record its own", () => {
        assert.equal(runtimes.host(), undefined);
        assert.equal(new ContainerRuntimes(join(folder, "nowhere")).host(), undefined);
    });

    it("match the host's record", () => {
        mkdirSync(join(folder, "a-b"));
        symlinkSync("a-b", join(folder, "current"));
        assert.deepEqual(runtimes.host(), { current: "a-b" });
        write("running", "a-b\n");
        write("trial", "c-d\n");
        write("fault", "it broke \n");
        assert.deepEqual(runtimes.host(), { current: "a-b", running: "a-b", trial: "c-d", fault: "it broke" });
        runtimes.request("c-d");
        assert.deepEqual(runtimes.host(), { current: "a-b", running: "a-b", trial: "c-d", request: "c-d" });
        assert.equal(readFileSync(join(folder, "request"), "utf8"), "c-d\n");
        runtimes.keep();
        runtimes.keep();
        assert.equal(runtimes.host()!.trial, undefined);
        write("fault", "it broke\n");
        runtimes.forget();
        assert.equal(runtimes.host()!.fault, undefined);
    });

    it("are removed when they are no longer needed", () => {
        const ids = ["1", "2", "3"].map((digit) => `${digit.repeat(12)}-${"0".repeat(12)}`);
        for (const each of [...ids, "probe"]) mkdirSync(join(folder, each));
        symlinkSync(ids[0]!, join(folder, "current"));
        runtimes.clear(ids.slice(0, 2));
        assert.deepEqual(readdirSync(folder).sort(), [...ids.slice(0, 2), "current", "probe"].sort());
    });
});
