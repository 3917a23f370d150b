import assert from "node:assert/strict";
import { stepsOf } from "../../../bench/upgrade";

describe("the steps of an upgrade", () => {
    it("are what rolled pods, and how long each took", () => {
        const output = `
 ~  kubernetes:apps/v1:DaemonSet c/daemonset/kube-system/kube-apiserver updating (0s) [diff: ~spec]
 ~  kubernetes:apps/v1:DaemonSet c/daemonset/kube-system/kube-apiserver updated (22s) [diff: ~spec]
 ~  kubernetes:core/v1:ConfigMap c/configmap/kube-system/etcd-keeper updated (0.1s)
 ~  kubernetes:apps/v1:Deployment c/deployment/kube-system/etcd-keeper updated (3.10s) [diff: ~spec]
`;
        assert.deepEqual(stepsOf(output), ["kube-apiserver: 22s", "etcd-keeper: 3.10s"]);
    });
});
