import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { lastWordsOf, parseReport, reportScript } from "../../../../../cli/status/collect/machine-report";
import { checkpointFacts, checkpointReports } from "../../../../../cli/status/collect/nodes";
import { machinePods } from "../../../../../cli/status/collect/pods";
import type { Node } from "../../../../../clients/kubernetes/objects";

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

    it("contains the whole checkpoints on a controller's disk, whatever the checkpointer reported last", () => {
        const of = (listed: string) => parseReport(`${text}\n--- saved\n${listed}`).saved;
        const folder = "/etc/kubernetes/checkpoints/kube-system";
        assert.deepEqual(of(`${folder}/kube-apiserver/current\n${folder}/haproxy/current\n`), [
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
        const damaged = { "kube-system/kube-apiserver": { runs: "api", damaged: ["4f0c/pod.json is empty"] } };
        assert.deepEqual(checkpointFacts("c-0", damaged)[0]?.damaged, [
            "/etc/kubernetes/checkpoints/kube-system/kube-apiserver/4f0c/pod.json is empty",
        ]);
        assert.deepEqual(checkpointFacts("c-0", undefined), []);
        assert.deepEqual(checkpointFacts("c-0", { x: 1 }), []);
    });

    it("shows when each controller's checkpointer reported, except one of a new controller", () => {
        const now = Date.parse("2026-11-21T06:00:00Z");
        const node = (name: string, annotations: object, creationTimestamp = "2026-11-20T06:00:00Z") => ({
            metadata: { name, creationTimestamp, labels: { "node-role.kubernetes.io/control-plane": "" }, annotations },
        });
        const reported = { "tradewind.dev/checkpoints": "{}" };
        const nodes = [
            node("c-0", { ...reported, "tradewind.dev/checkpoints-reported": "2026-11-21T05:50:00Z" }),
            node("of-an-earlier-release", reported),
            node("silent", {}),
            node("new", {}, "2026-11-21T05:55:00Z"),
            { metadata: { name: "worker" } },
        ];
        assert.deepEqual(checkpointReports(nodes as unknown as Node[], now), [
            { node: "c-0", ageSeconds: 600 },
            { node: "of-an-earlier-release", ageSeconds: 0 },
            { node: "silent" },
        ]);
    });

    it("is created by a script that works on any machine, even without kubelet and etcd", () => {
        const { status, stdout, stderr } = spawnSync("sh", ["-c", reportScript], { encoding: "utf8", timeout: 20_000 });
        assert.deepEqual([status, stderr], [0, ""]);
        assert.notEqual(parseReport(stdout).kubelet, "");
    });
});

describe("what a failed program printed last", () => {
    const cases: [string, string, string][] = [
        [
            "the end of a kubelet, among errors about its pods",
            [
                'E1127 16:00:00.1 7 pod.go:5] "Failed creating a mirror pod" err="x"',
                'E1127 16:00:01.1 7 run.go:72] "command failed" err="configured policy static differs from none"',
                "I1127 16:00:02.1 7 a.go:1] bye",
            ].join("\n"),
            '"command failed" err="configured policy static differs from none"',
        ],
        ["the last error", "I1 fine\nfailed to load plugin\nmore", "failed to load plugin"],
        ["the last line, if none is an error", "one\ntwo\n", "two"],
        ["nothing", "", ""],
        [
            "the message of a container's log in JSON",
            '2026-11-27T16:00:00Z stderr F {"level":"fatal","msg":"discovery failed","error":"no space left"}',
            "discovery failed: no space left",
        ],
        ["words without secrets", 'error: token="abcdef.0123456789abcdef"', 'error: token="[bootstrap token]"'],
    ];
    for (const [title, log, expected] of cases) {
        it(`is ${title}`, () => assert.equal(lastWordsOf(log), expected));
    }

    it("is in the report, as are static pods that are not the stack's", () => {
        const report = parseReport(
            [
                "--- kubelet\ndoes not answer\n--- words kubelet\nerror: no disk",
                '--- manifest /etc/kubernetes/manifests/etcd.json\n{"metadata":{"name":"etcd"}}',
                '--- manifest /etc/kubernetes/manifests/etcd.json.bak\n{"metadata":{"name":"etcd"}}',
                "--- manifest /etc/kubernetes/manifests/notes\nhello\n",
            ].join("\n"),
        );
        assert.deepEqual(report.lastWords, { kubelet: "error: no disk" });
        assert.deepEqual(report.strayManifests, [
            "/etc/kubernetes/manifests/etcd.json.bak (pod etcd)",
            "/etc/kubernetes/manifests/notes",
        ]);
    });
});
