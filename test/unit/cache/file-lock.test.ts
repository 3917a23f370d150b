import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { takeFileLock } from "../../../cache/file-lock";

describe("a file lock", () => {
    let dir: string;

    beforeEach(() => {
        dir = mkdtempSync(join(tmpdir(), "tradewind-lock-"));
    });
    afterEach(() => rmSync(dir, { recursive: true }));

    it("has one holder at a time, and notifies those waiting for it", async () => {
        const file = join(dir, "deep/lock");
        const release = await takeFileLock(file, () => assert.fail("no other holder"));
        const events: string[] = [];
        const second = takeFileLock(file, () => {
            events.push("waits");
            release();
        }).then((releaseSecond) => {
            events.push("holds");
            releaseSecond();
        });
        await second;
        assert.deepEqual(events, ["waits", "holds"]);
    });

    it("is released when its holder is killed", async () => {
        const file = join(dir, "lock");
        const code = `require(${JSON.stringify(resolve(__dirname, "../../../cache/file-lock"))})
            .takeFileLock(${JSON.stringify(file)}, () => {}).then(() => { console.log("held"); setInterval(() => {}, 1000); });`;
        const holder = spawn(process.execPath, ["--require", "tsx/cjs", "-e", code], {
            stdio: ["ignore", "pipe", "inherit"],
        });
        await once(holder.stdout, "data");
        const next = takeFileLock(file, () => holder.kill("SIGKILL"));
        (await next)();
    });
});
