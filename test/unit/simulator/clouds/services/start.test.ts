import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Account } from "../../../../../simulator/clouds/aws/account";
import { startServices } from "../../../../../simulator/clouds/services/start";
import { useEmptyCache } from "../../../artifacts/cache";

describe("the services of a simulated account", function () {
    this.timeout(60_000);
    const folder = mkdtempSync(join(tmpdir(), "tradewind-services-"));
    const path = join(folder, "account.json");
    useEmptyCache();
    after(() => rmSync(folder, { recursive: true, force: true }));

    const started = () => [...readFileSync(`${path}.services.log`, "utf8").matchAll(/started: process (\d+)/g)];
    const ask = (socketPath: string) =>
        new Promise<number>((resolve, reject) => {
            request({ socketPath, path: "/" }, (answer) => resolve(answer.statusCode!))
                .on("error", reject)
                .end();
        });

    it("run once, and restart after they were killed", async () => {
        Account.open(path, { region: "eu-central-1", zones: {}, amis: {} });
        const { folder: at, ready } = startServices("aws", path);
        await Promise.all([ready, startServices("aws", path).ready]);
        const socket = join(at, "socket");
        assert.equal(await ask(socket), 400);
        assert.equal(started().length, 1);
        process.kill(Number(started()[0]![1]), "SIGKILL");
        while (await ask(socket).catch(() => 0)) await sleep(20);
        await startServices("aws", path).ready;
        assert.equal(await ask(socket), 400);
        assert.equal(started().length, 2);
        process.kill(Number(started()[1]![1]), "SIGKILL");
    });
});
