import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { isLocked, logWait, takeLock } from "../../../../agents/harness/lock";

const module = join(__dirname, "../../../../agents/harness/lock.ts");

describe("the lock of agents", function () {
    this.timeout(30_000);
    const folder = mkdtempSync(join(tmpdir(), "tradewind-lock-"));
    let file: string;
    let count = 0;
    const children: ChildProcess[] = [];

    beforeEach(() => {
        file = join(folder, `state-${count++}`, "lock");
    });
    after(() => {
        for (const child of children) child.kill("SIGKILL");
        rmSync(folder, { recursive: true });
    });

    /** An agent that takes the lock and prints a line. */
    async function holder(): Promise<ChildProcess> {
        const program = `require(${JSON.stringify(module)}).takeLock(${JSON.stringify(file)}, () => {}).then(() => {
            console.log("held");
            setInterval(() => {}, 1000);
        })`;
        const child = spawn(process.execPath, ["-r", "tsx/cjs", "-e", program], {
            stdio: ["ignore", "pipe", "inherit"],
        });
        children.push(child);
        await once(createInterface(child.stdout!), "line");
        return child;
    }

    it("says which agent it waits for", () => {
        const lines: string[] = [];
        logWait("checkpointer", (line) => lines.push(line))();
        assert.deepEqual(lines, ["another checkpointer is running here; waiting for it to end"]);
    });

    it("keeps another agent waiting until it is released", async () => {
        const first = await takeLock(file, () => assert.fail("nothing holds it"));
        let waited = 0;
        let hasSecond = false;
        const second = takeLock(file, () => waited++).then((lock) => {
            hasSecond = true;
            return lock;
        });
        while (waited === 0) await new Promise(setImmediate);
        assert.deepEqual([hasSecond, await isLocked(file)], [false, true]);
        await first.release();
        await (await second).release();
        assert.deepEqual([waited, await isLocked(file)], [1, false]);
    });

    it("is free as soon as its holder is killed", async () => {
        const child = await holder();
        assert.equal(await isLocked(file), true);
        child.kill("SIGKILL");
        await once(child, "exit");
        assert.equal(await isLocked(file), false);
        await (await takeLock(file, () => {})).release();
    });

    it("can be opened only by root", async () => {
        const lock = await takeLock(file, () => {});
        assert.deepEqual([statSync(file).mode & 0o777, statSync(join(file, "..")).mode & 0o777], [0o600, 0o700]);
        await lock.release();
    });

    it("is a single lock even if its file was removed in the meantime", async () => {
        const first = await takeLock(file, () => {});
        rmSync(file);
        assert.equal(await isLocked(file), false);
        const second = await takeLock(file, () => {});
        assert.equal(existsSync(file), true);
        await first.release();
        assert.equal(await isLocked(file), true);
        await second.release();
    });
});
