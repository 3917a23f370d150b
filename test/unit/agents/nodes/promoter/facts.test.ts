import assert from "node:assert/strict";
import { NodeDurations } from "../../../../../agents/nodes/promoter/durations";
import { keepNode, nodeFacts, podFacts, readRequests } from "../../../../../agents/nodes/promoter/facts";
import { type Observed, Scene } from "../../../../../agents/nodes/promoter/observed";
import type { NodePromoterPlan } from "../../../../../agents/nodes/promoter/plan";
import { controllersKey, readRecord } from "../../../../../agents/nodes/promoter/record";
import type { Pod } from "../../../../../clients/kubernetes/objects";

const role = "node-role.kubernetes.io/control-plane";

interface PodChange {
    readonly app?: string;
    readonly isReady?: boolean;
    readonly selector?: Record<string, string>;
    readonly annotations?: Record<string, string>;
    readonly deletionTimestamp?: string;
}

function pod(name: string, { app = name, isReady = true, selector, annotations, ...metadata }: PodChange = {}): Pod {
    const ownerReferences = [{ kind: "DaemonSet", name, controller: true }];
    return {
        metadata: {
            name,
            namespace: "kube-system",
            labels: { "k8s-app": app },
            ownerReferences,
            ...(annotations && { annotations }),
            ...metadata,
        },
        spec: { containers: [], ...(selector && { nodeSelector: selector }) },
        status: { phase: "Running", conditions: [{ type: "Ready", status: isReady ? "True" : "False" }] },
    };
}

describe("the facts of the node promoter", () => {
    it("of a Node keep only what is read", () => {
        const node = {
            metadata: {
                name: "c-0",
                uid: "1",
                resourceVersion: "2",
                labels: { [role]: "", "etcd.node-restriction.kubernetes.io/member": "joining", zone: "a" },
                annotations: {
                    "tradewind.dev/leaving": "true",
                    "tradewind.dev/checkpoints": '{"kube-system/kube-apiserver":{"checkpoint":{}}}',
                    other: "x",
                },
            },
            spec: { unschedulable: true, podCIDRs: ["10.2.0.0/24"] },
            status: {
                conditions: [{ type: "Ready", status: "True", message: "posting" }],
                nodeInfo: undefined as never,
            },
        };
        const kept = keepNode(node, role);
        assert.doesNotMatch(JSON.stringify(kept), /zone|other|podCIDRs|posting/);
        assert.deepEqual(nodeFacts(kept, role), nodeFacts(node, role));
        assert.deepEqual(nodeFacts(kept, role), {
            name: "c-0",
            isReady: true,
            hasRole: true,
            label: "joining",
            isLeaving: true,
            isCordoned: true,
            checkpoints: "c-0 has checkpoints of kube-system/kube-apiserver",
        });
    });

    it("of pods are of those that are neither static nor ending", () => {
        const mirror = { annotations: { "kubernetes.io/config.mirror": "1" } };
        const copy = {
            annotations: { ...mirror.annotations, "tradewind.dev/checkpoint-of": "kube-system/kube-apiserver" },
        };
        const selector = { [role]: "" };
        const facts = (...pods: Pod[]) => podFacts(pods, role);
        assert.deepEqual(facts(pod("kube-apiserver", { selector }), pod("kube-proxy"), pod("copy", copy)), {
            controlPlane: ["kube-system/kube-apiserver", "kube-system/copy"],
            servesApi: true,
            join: "none",
            isClean: false,
        });
        assert.equal(facts(pod("kube-apiserver", mirror)).servesApi, false);
        assert.equal(facts(pod("kube-apiserver", { isReady: false })).servesApi, false);
        assert.equal(facts(pod("etcd-join", { isReady: false })).join, "running");
        assert.equal(facts(pod("etcd-join")).join, "ended");
        assert.equal(facts(pod("etcd-join", { deletionTimestamp: "2026" })).join, "none");
        assert.equal(facts(pod("node-demotion")).isClean, true);
        assert.equal(facts(pod("node-demotion", { deletionTimestamp: "2026" })).isClean, false);
        assert.equal(facts(pod("node-demotion", mirror)).isClean, false);
    });

    it("of the record are refused if they cannot be read", () => {
        const config = (data: Record<string, string>) => ({ metadata: { name: "controllers" }, data });
        assert.deepEqual(readRecord(config({})), {});
        const entry = { role: "candidate", since: "2026", why: "so", excluded: "failed" };
        assert.deepEqual(readRecord(config({ [controllersKey]: JSON.stringify({ a: entry }) })), { a: entry });
        const problems: Record<string, string> = {
            "": "controllers.json is not JSON: ",
            "[": "controllers.json is not JSON: ",
            "[]x": "controllers.json is not JSON: ",
            '"a"': 'controllers.json: must be an object of nodes (got "a")',
            '{"a":{"role":"king","since":"","why":""}}':
                'controllers.json: a.role must be one of candidate, joining, controller, leaving (got "king")',
            '{"a":{"role":"candidate","since":""}}': "controllers.json: a.why must be a text (got undefined)",
        };
        for (const [text, problem] of Object.entries(problems)) {
            const read = () => readRecord(config({ [controllersKey]: text }));
            assert.throws(read, (error: Error) => error.message.startsWith(problem), text);
        }
        const data = { "request.a.example": "promote\n", "demoted.a": "so", progress: "x" };
        assert.deepEqual(readRequests(config(data)), { "a.example": "promote" });
    });
});

describe("how long a controller has been lost", () => {
    const plan = { peerUrls: { a: "https://a:2380" }, candidates: [] as string[] } as unknown as NodePromoterPlan;
    type State = "lost" | "silent" | "back";
    const lostAfter = (...looks: [seconds: number, state: State][]) => {
        const durations = new NodeDurations();
        let lost: Record<string, number> = {};
        for (const [seconds, state] of looks) {
            const node = { name: "a", isReady: state !== "lost", hasRole: true, isLeaving: false, isCordoned: false };
            const health = { healthy: new Set(state === "back" ? ["1"] : []), problems: [] };
            const members = [{ ID: "1", name: "a", isLearner: false }];
            const seen = { nodes: [node], members, health, record: {}, requests: {}, pods: {} };
            const observed = { ...seen, lostSeconds: {}, stageSeconds: {}, now: 0 } satisfies Observed;
            lost = { ...durations.note(new Scene(observed, plan), seconds).lostSeconds };
        }
        return lost.a;
    };

    it("counts while it is observed", () => {
        assert.equal(lostAfter([100, "lost"]), 0);
        assert.equal(lostAfter([100, "lost"], [115, "lost"], [130, "lost"]), 30);
    });

    it("counts from when its member stopped answering, which its Node shows later", () => {
        assert.equal(lostAfter([100, "silent"], [115, "silent"], [130, "lost"]), 30);
        assert.equal(lostAfter([100, "silent"], [115, "silent"]), undefined);
    });

    it("starts again when it answered in between, or nothing was observed", () => {
        assert.equal(lostAfter([100, "lost"], [110, "back"], [120, "lost"]), 0);
        assert.equal(lostAfter([100, "lost"], [110, "lost"], [131, "lost"]), 0);
        assert.equal(lostAfter([100, "lost"], [110, "back"]), undefined);
    });
});
