import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endMember, memberProcess } from "../../../../../agents/etcd/member/process";

describe("the end of a member", () => {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-member-"));
    after(() => rmSync(folder, { recursive: true }));

    /** A process that looks like a member. */
    const endOf = async (onTerm: string) => {
        const program = join(folder, "etcd");
        rmSync(program, { force: true });
        symlinkSync(process.execPath, program);
        const script = `process.on("SIGTERM", () => { ${onTerm} }); setInterval(() => {}, 1000); console.log("ready")`;
        const child = spawn(program, ["-e", script, "--", `--data-dir=${folder}`]);
        await once(child.stdout, "data");
        const ended = once(child, "exit");
        assert.equal(memberProcess(folder)?.pid, child.pid);
        await endMember(folder, child.pid!);
        return ended;
    };

    it("is graceful if it exits by itself", async () => assert.deepEqual(await endOf("process.exit(3)"), [3, null]));

    it("is a kill if it keeps running", async () => assert.deepEqual(await endOf(""), [null, "SIGKILL"]));

    it("does not fail if it has already ended", () => endMember(folder, 2 ** 22 + 1));
});
