import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { containerStarts } from "../../../../../agents/etcd/update/trial";

describe("the starts of a container", () => {
    const logs = mkdtempSync(join(tmpdir(), "tradewind-pod-logs-"));
    const write = (folder: string, ...names: string[]) => {
        mkdirSync(join(logs, folder), { recursive: true });
        for (const name of names) writeFileSync(join(logs, folder, name), "");
    };
    before(() => {
        write("kube-system_etcd-c-0_a/etcd", "1.log", "2.log", "2.log.20261122-120000.gz", "notes.txt");
        write("kube-system_etcd-c-0_b/etcd", "0.log");
        write("kube-system_etcd-c-0_b/other", "7.log");
        write("kube-system_etcd-c-01_c/etcd", "8.log");
        write("kube-system_etcd-c-0_empty");
    });
    after(() => rmSync(logs, { recursive: true }));

    it("are read from its logs, whatever the UID of its pod, once each", () => {
        const starts = new Set(containerStarts(logs, "kube-system_etcd-c-0", "etcd"));
        const [a, b] = ["kube-system_etcd-c-0_a", "kube-system_etcd-c-0_b"];
        assert.deepEqual([...starts].sort(), [`${a}/1`, `${a}/2`, `${b}/0`]);
    });

    it("are empty without logs", () => {
        assert.deepEqual(containerStarts(logs, "kube-system_none", "etcd"), []);
        assert.deepEqual(containerStarts(join(logs, "none"), "kube-system_etcd-c-0", "etcd"), []);
    });
});
