import assert from "node:assert/strict";
import { hasKubeletPod, podsToDrain } from "../../../../../agents/nodes/node-agent/observe";
import type { NodePod } from "../../../../../clients/kubernetes/kubelet-api";

const pod = (name: string, kind?: string, more: object = {}, status: object = {}): NodePod => ({
    metadata: {
        name,
        namespace: "n",
        uid: name,
        ...(kind && { ownerReferences: [{ kind, name: "o", controller: true }] }),
        ...more,
    },
    spec: { containers: [] },
    status,
});

describe("the pods evicted before a kubelet change", () => {
    it("are those that a controller would recreate elsewhere", () => {
        const pods = [
            pod("web", "ReplicaSet"),
            pod("ending", "ReplicaSet", { deletionTimestamp: "2030-01-01T00:00:00Z" }),
            pod("job", "Job"),
            pod("done", "Job", {}, { phase: "Succeeded" }),
            pod("daemon", "DaemonSet"),
            pod("static", "Node", { annotations: { "kubernetes.io/config.mirror": "x" } }),
            pod("bare"),
        ];
        assert.deepEqual(
            podsToDrain(pods).map(({ metadata }) => metadata.name),
            ["web", "ending", "job"],
        );
    });
});

describe("a kubelet that runs as a pod", () => {
    const kubelet = (namespace: string, status: string) =>
        pod(
            "k",
            "DaemonSet",
            { namespace, labels: { "k8s-app": "kubelet" } },
            { conditions: [{ type: "Ready", status }] },
        );

    it("is running if its pod is Ready", () => {
        assert.equal(hasKubeletPod([pod("web"), kubelet("kube-system", "True")]), true);
        assert.equal(hasKubeletPod([kubelet("kube-system", "False")]), false);
        assert.equal(hasKubeletPod([kubelet("n", "True")]), false);
    });
});
