import assert from "node:assert/strict";
import { isEvictable, isPlacedByLabel, isStandIn, type Pod, podName } from "../../../../../agents/nodes/removal/pods";

const owner = (kind: string) => ({ ownerReferences: [{ kind, controller: true }] });
const pod = (metadata: object, rest: object = {}): Pod => ({
    metadata: { name: "web", namespace: "default", ...metadata },
    ...rest,
});

describe("a pod", () => {
    const cases: [string, Pod, boolean][] = [
        ["has to end when nobody owns it", pod({}), true],
        ["has to end when a ReplicaSet owns it", pod(owner("ReplicaSet")), true],
        ["goes with its node when a DaemonSet runs it", pod(owner("DaemonSet")), false],
        ["goes with its node when it is static", pod({ annotations: { "kubernetes.io/config.mirror": "x" } }), false],
        [
            "goes with its node when it admitted that to etcd",
            pod({ namespace: "kube-system", labels: { "k8s-app": "etcd-join" } }),
            false,
        ],
        ["has to end whatever a user calls it", pod({ labels: { "k8s-app": "etcd-join" } }), true],
        ["is done when it succeeded", pod({}, { status: { phase: "Succeeded" } }), false],
        ["is done when it failed", pod({}, { status: { phase: "Failed" } }), false],
    ];
    for (const [title, each, expected] of cases) {
        it(title, () => assert.equal(isEvictable(each), expected));
    }

    it("is of the control plane when a DaemonSet placed it by the controllers' label", () => {
        const nodeSelector = { role: "" };
        assert.equal(isPlacedByLabel(pod(owner("DaemonSet"), { spec: { nodeSelector } }), "role"), true);
        assert.equal(isPlacedByLabel(pod(owner("DaemonSet")), "role"), false);
        assert.equal(isPlacedByLabel(pod(owner("Job"), { spec: { nodeSelector } }), "role"), false);
    });

    it("stands in for another when it is a checkpoint's copy, but for the checkpointer's own, which sleeps", () => {
        const copyOf = (parent: string) => pod({ annotations: { "tradewind.dev/checkpoint-of": parent } });
        assert.equal(isStandIn(copyOf("kube-system/kube-apiserver")), true);
        assert.equal(isStandIn(copyOf("kube-system/checkpointer")), false);
        assert.equal(isStandIn(pod({})), false);
    });

    it("is named with its namespace", () => assert.equal(podName(pod({})), "default/web"));
});
