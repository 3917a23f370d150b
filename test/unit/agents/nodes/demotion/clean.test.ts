import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { clean } from "../../../../../agents/nodes/demotion/clean";
import { freePort } from "../../../../free-port";

describe("node-demotion on a machine whose member may still be one of the cluster", () => {
    let home: string;
    let server: Server;
    let healthUrl: string;
    let isReady: () => boolean;
    const path = (name: string) => join(home, name);

    beforeEach(async () => {
        home = mkdtempSync(join(tmpdir(), "node-demotion-"));
        for (const name of ["pki", "manifests", "data", "checkpoints"]) mkdirSync(path(name));
        writeFileSync(path("manifests/etcd.json"), "{}");
        writeFileSync(path("data/wal"), "all that the cluster knows");
        const port = await freePort();
        healthUrl = `http://127.0.0.1:${port}`;
        server = createServer((_, response) => response.writeHead(isReady() ? 200 : 503).end());
        await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    });
    afterEach(() => {
        server.close();
        server.closeAllConnections();
        rmSync(home, { recursive: true });
    });

    function run(seconds: number) {
        const [pki, staticPods, data, checkpoints] = ["pki", "manifests", "data", "checkpoints"].map(path);
        const directories = { pki: pki!, staticPods: staticPods!, data: data!, checkpoints: checkpoints! };
        const plan = { healthUrl, directories, timeouts: { "stop-member": seconds } };
        return clean({ plan, log: () => {}, steadyMilliseconds: 1, removedMilliseconds: 1_000 });
    }

    it("removes nothing while that member is not ready only for moments, as in an election", async () => {
        const start = performance.now();
        isReady = () => (performance.now() - start) % 900 < 300;
        await assert.rejects(run(3), /the cluster to remove this machine's member; last seen: it/);
        assert.ok(existsSync(path("manifests/etcd.json")) && existsSync(path("data/wal")));
    });

    it("removes what is left of a member that stays not ready", async () => {
        isReady = () => false;
        const ended = run(10);
        await sleep(500);
        assert.ok(existsSync(path("manifests/etcd.json")));
        while (existsSync(path("manifests/etcd.json"))) await sleep(10);
        // The kubelet ends it.
        server.close();
        server.closeAllConnections();
        await ended;
        assert.ok(!existsSync(path("data")));
    });
});
