import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memberProcess } from "../../../../../agents/etcd/member/process";

describe("the process of an etcd member", () => {
    const proc = mkdtempSync(join(tmpdir(), "tradewind-proc-"));
    const run = (pid: string, ...command: string[]) => {
        mkdirSync(join(proc, pid));
        // A process name may contain anything.
        writeFileSync(join(proc, pid, "stat"), `${pid} (a) b (c) S ${Number(pid) - 1} 1 1`);
        writeFileSync(join(proc, pid, "cmdline"), command.map((each) => `${each}\0`).join(""));
    };
    before(() => {
        run("7", "/usr/local/bin/etcd", "--data-dir=/of/another");
        run("8", "/bin/sh", "-c", "script", "etcd-standby", "images", "--data-dir=/data");
        run("9", "etcd", "--name=a", "--data-dir=/data", "--empty=");
        mkdirSync(join(proc, "10"));
        mkdirSync(join(proc, "sys"));
    });
    after(() => rmSync(proc, { recursive: true }));

    it("is found by its data directory, with its flags", () => {
        const { parent, ...process } = memberProcess("/data", proc)!;
        const flags = ["--name=a", "--data-dir=/data", "--empty="];
        assert.deepEqual(process, { pid: 9, flags, runner: "standby" });
        assert.equal(parent[3], "etcd-standby");
    });

    it("belongs to the machine's static pod if no shell started it", () => {
        assert.equal(memberProcess("/of/another", proc)?.runner, "plain");
    });

    it("is undefined if none runs", () => assert.equal(memberProcess("/none", proc), undefined));
});
