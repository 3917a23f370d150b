import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { parseReport, reportScript } from "../../../../../cli/status/collect/machine-report";
import { checkpointFacts } from "../../../../../cli/status/collect/nodes";
import { machinePods } from "../../../../../cli/status/collect/pods";

const [one, two, three] = ["1", "2", "3"].map((digit) => digit.repeat(64)) as [string, string, string];

const text = `
--- kubelet
ok
--- containerd
active
--- tasks
TASK    PID     STATUS
${one}    100    RUNNING
${two}    101    RUNNING
${three}    102    STOPPED
--- containers
checkpoint-kube-apiserver-c-0_kube-system_kube-apiserver-${one}.log
kube-scheduler-x7_kube-system_kube-scheduler-${two}.log
kube-scheduler-x6_kube-system_kube-scheduler-${three}.log
--- manifest /etc/kubernetes/manifests/checkpoint.json
{"metadata": {"name": "checkpoint-kube-apiserver", "annotations": {"tradewind.dev/checkpoint-of": "kube-system/kube-apiserver"}}}
--- manifest /etc/kubernetes/manifests/half.json
{"metadata": {
--- checkpointer
{"kube-system/kube-apiserver": {"runs": "checkpoint", "checkpoint": {"generation": "1", "savedAt": "2026-11-21T05:00:00Z"}}}
--- certificate etcd CA
PEM
--- certificate kubelet client
`;

describe("a machine's report", () => {
    const report = parseReport(text);

    it("contains the health of the kubelet and the runtime", () => {
        assert.deepEqual([report.kubelet, report.containerd], ["ok", "active"]);
        assert.deepEqual(report.certificates, { "etcd CA": "PEM" });
    });

    it("contains the running containers and where they run from", () => {
        const pods = machinePods(new Map([["c-0", report]]));
        assert.deepEqual(
            pods.map(({ component, origin, state, name }) => [component, origin, state, name]),
            [
                ["kube-apiserver", "checkpoint", "running", "checkpoint-kube-apiserver-c-0"],
                ["kube-scheduler", "api", "running", "kube-scheduler-x7"],
            ],
        );
    });

    it("contains the checkpoints on a controller's disk, whatever the checkpointer reported last", () => {
        const of = (listed: string) => parseReport(`${text}\n--- saved\n${listed}`).saved;
        const folder = "/etc/kubernetes/checkpoints/kube-system";
        assert.deepEqual(of(`${folder}/kube-apiserver/current/pod.json\n${folder}/haproxy/current/pod.json\n`), [
            "kube-apiserver",
            "haproxy",
        ]);
        assert.deepEqual(of(""), []);
        assert.equal(report.saved, undefined);
    });

    it("contains the checkpointer's status", () => {
        assert.deepEqual(checkpointFacts("c-0", report.checkpointer), [
            { node: "c-0", component: "kube-apiserver", savedAt: "2026-11-21T05:00:00Z", refused: undefined },
        ]);
        assert.deepEqual(checkpointFacts("c-0", undefined), []);
        assert.deepEqual(checkpointFacts("c-0", { x: 1 }), []);
    });

    it("is created by a script that works on any machine, even without kubelet and etcd", () => {
        const { status, stdout, stderr } = spawnSync("sh", ["-c", reportScript], { encoding: "utf8", timeout: 20_000 });
        assert.deepEqual([status, stderr], [0, ""]);
        assert.notEqual(parseReport(stdout).kubelet, "");
    });
});
