import assert from "node:assert/strict";
import { isEvictable, isPlacedByLabel, isStandIn } from "../../../../../agents/nodes/removal/pods";
import type { Pod } from "../../../../../clients/kubernetes/objects";

const owner = (kind: string) => ({ ownerReferences: [{ kind, name: "web", controller: true }] });
const pod = (metadata: object, rest: object = {}): Pod => ({
    metadata: { name: "web", namespace: "default", ...metadata },
    spec: { containers: [] },
    ...rest,
});

describe("a pod", () => {
    const cases: [string, Pod, boolean][] = [
        ["must end if it has no owner", pod({}), true],
        ["must end if a ReplicaSet owns it", pod(owner("ReplicaSet")), true],
        ["is removed with its node if a DaemonSet runs it", pod(owner("DaemonSet")), false],
        [
            "is removed with its node if it is static",
            pod({ annotations: { "kubernetes.io/config.mirror": "x" } }),
            false,
        ],
        [
            "is removed with its node if it joined that to etcd",
            pod({ namespace: "kube-system", labels: { "k8s-app": "etcd-join" } }),
            false,
        ],
        ["must end whatever a user names it", pod({ labels: { "k8s-app": "etcd-join" } }), true],
        ["is done if it succeeded", pod({}, { status: { phase: "Succeeded" } }), false],
        ["is done if it failed", pod({}, { status: { phase: "Failed" } }), false],
    ];
    for (const [title, each, expected] of cases) {
        it(title, () => assert.equal(isEvictable(each), expected));
    }

    it("belongs to the control plane if a DaemonSet placed it by the controllers' label", () => {
        const nodeSelector = { role: "" };
        assert.equal(isPlacedByLabel(pod(owner("DaemonSet"), { spec: { nodeSelector } }), "role"), true);
        assert.equal(isPlacedByLabel(pod(owner("DaemonSet")), "role"), false);
        assert.equal(isPlacedByLabel(pod(owner("Job"), { spec: { nodeSelector } }), "role"), false);
    });

    it("is a copy of another if it is a checkpoint's copy, except for the checkpointer's own, which sleeps", () => {
        const copyOf = (parent: string) => pod({ annotations: { "tradewind.dev/checkpoint-of": parent } });
        assert.equal(isStandIn(copyOf("kube-system/kube-apiserver")), true);
        assert.equal(isStandIn(copyOf("kube-system/checkpointer")), false);
        assert.equal(isStandIn(pod({})), false);
    });
});
