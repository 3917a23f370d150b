import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memberProcess } from "../../../../agents/common/etcd-process";

describe("the process of a member of etcd", () => {
    const proc = mkdtempSync(join(tmpdir(), "tradewind-proc-"));
    const run = (pid: string, ...command: string[]) => {
        mkdirSync(join(proc, pid));
        writeFileSync(join(proc, pid, "cmdline"), command.map((each) => `${each}\0`).join(""));
    };
    before(() => {
        run("7", "/usr/local/bin/etcd", "--data-dir=/of/another");
        run("8", "sh", "-c", "etcd --data-dir=/data");
        run("9", "etcd", "--name=a", "--data-dir=/data", "--empty=");
        mkdirSync(join(proc, "10"));
        mkdirSync(join(proc, "sys"));
    });
    after(() => rmSync(proc, { recursive: true }));

    it("is found by its data, with its flags", () => {
        assert.deepEqual(memberProcess("/data", proc), { pid: 9, flags: ["--name=a", "--data-dir=/data", "--empty="] });
    });

    it("is none where none runs", () => assert.equal(memberProcess("/none", proc), undefined));
});
