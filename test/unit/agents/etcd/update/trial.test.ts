import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Trial } from "../../../../../agents/etcd/update/trial";

const second = 1_000;
const removed = "its process is not running";

describe("the trial of a member that does not serve yet", () => {
    let podLogs: string;
    let trial: Trial;
    const starts = (count: number) => {
        const folder = join(podLogs, "kube-system_etcd-c-0_uid", "etcd");
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, `${count}.log`), "");
    };
    beforeEach(() => {
        podLogs = mkdtempSync(join(tmpdir(), "tradewind-pod-logs-"));
        starts(0);
        trial = new Trial({ name: "c-0", directories: { pki: "", staticPods: "", data: "", state: "", podLogs } }, 0);
    });
    afterEach(() => rmSync(podLogs, { recursive: true }));

    it("continues while the kubelet backs off, and reports that", () => {
        for (const seconds of [6, 40, 200, 290]) {
            const { verdict, waits } = trial.judge(false, removed, seconds * second);
            assert.equal(verdict, undefined);
            assert.equal(
                waits,
                `the kubelet has not started it for ${seconds} s: it backs off for up to 300 s after an exit`,
            );
        }
        starts(1);
        assert.deepEqual(trial.judge(true, "it is not ready", 295 * second), {});
    });

    it("ends if the member exited twice, but not after one exit", () => {
        starts(1);
        trial.judge(false, removed, second);
        const once = trial.judge(false, removed, 7 * second);
        assert.equal(once.verdict, undefined);
        assert.match(once.waits!, /^it exited once; the kubelet has not started it for 6 s/);
        starts(2);
        assert.equal(trial.judge(true, removed, 11 * second).verdict, undefined);
        assert.match(trial.judge(false, removed, 17 * second).verdict!.message, /^c-0 exits right after it starts$/);
    });

    it("ends if the member ran for two minutes without serving, not counting back-off", () => {
        trial.judge(false, removed, 100 * second);
        for (let seconds = 101; seconds < 220; seconds++) {
            assert.equal(trial.judge(true, "503", seconds * second).verdict, undefined);
        }
        const { verdict } = trial.judge(true, "503", 221 * second);
        assert.match(verdict!.message, /^c-0 did not serve within 120 s; last seen: 503$/);
    });

    it("does not end when the member starts to serve", () => {
        assert.deepEqual(trial.judge(true, undefined, 300 * second), {});
    });
});
