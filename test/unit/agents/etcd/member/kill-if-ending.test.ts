import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Ending, killIfEnding } from "../../../../../agents/etcd/member/ending";
import { endMilliseconds } from "../../../../../agents/etcd/member/process";

/**
 * Listens on two addresses, and after SIGTERM only on the second one, like an etcd whose first listener has a watch.
 */
const script = `
    const { createServer } = require("node:net");
    const servers = ["127.0.0.1", "127.0.0.2"].map((host) => createServer().listen(+process.argv.at(-1), host));
    process.on("SIGTERM", () => servers[0].close());
    servers[1].once("listening", () => console.log("ready"));
`;

describe("a terminating member", () => {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-member-"));
    const port = String(20_000 + (process.pid % 20_000));
    let child: ChildProcess;

    before(async () => {
        const program = join(folder, "etcd");
        symlinkSync(process.execPath, program);
        const urls = `--listen-client-urls=https://127.0.0.1:${port},https://127.0.0.2:${port}`;
        child = spawn(program, ["-e", script, "--", `--data-dir=${folder}`, urls, port]);
        await once(child.stdout!, "data");
    });
    after(() => {
        child.kill("SIGKILL");
        rmSync(folder, { recursive: true });
    });

    it("is killed once its first listener has closed and its writes are answered, and not before", async () => {
        let pending = 1;
        const metrics = createServer((_, answer) => answer.end(`etcd_server_proposals_pending ${pending}\n`));
        await new Promise<void>((resolve) => metrics.listen(0, "127.0.0.1", resolve));
        const reports: string[] = [];
        const healthUrl = `http://127.0.0.1:${(metrics.address() as AddressInfo).port}`;
        const member = { name: "c-controller-0", healthUrl, data: folder };
        const ending = new Ending();
        const observe = () => killIfEnding(member, ending, (line) => reports.push(line));
        for (let time = 0; time < 3; time++) await observe();
        assert.equal(child.exitCode ?? child.signalCode, null);

        const ended = once(child, "exit");
        child.kill("SIGTERM");
        const observations = setInterval(() => void observe(), 20);
        assert.equal(
            await Promise.race([ended, sleep(endMilliseconds / 2, "waits for the write")]),
            "waits for the write",
        );
        pending = 0;
        assert.deepEqual(await ended, [null, "SIGKILL"]);
        clearInterval(observations);
        metrics.close();
        assert.deepEqual(reports, ["c-controller-0 accepts no more requests; killing it"]);
    });
});
