import assert from "node:assert/strict";
import { nodeDaemonSet } from "../../../../../cluster/manifests/addons/kube-proxy";
import { podSpecOf } from "../../../components/in-cluster/fixture";

describe("a DaemonSet that every node needs", () => {
    const own = { securityContext: { seccompProfile: { type: "Unconfined" } }, containers: [] };
    const part = nodeDaemonSet("part", own);
    const spec = podSpecOf(part)!;

    it("runs whatever is wrong with the node, and without a pod network", () => {
        assert.deepEqual(spec.tolerations, [{ operator: "Exists" }]);
        assert.equal(spec.hostNetwork, true);
        assert.equal(spec.priorityClassName, "system-node-critical");
    });

    it("is rolled out in ten steps at most, and one by one up to ten nodes, because Kubernetes rounds up", () => {
        const { updateStrategy } = part.spec as { updateStrategy: object };
        assert.deepEqual(updateStrategy, {
            type: "RollingUpdate",
            rollingUpdate: { maxSurge: 0, maxUnavailable: "10%" },
        });
    });

    it("can be overridden by the component's own settings", () =>
        assert.equal(spec.securityContext, own.securityContext));
});
