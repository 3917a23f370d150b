import assert from "node:assert/strict";
import { runs } from "../../../../../dev/bench/control-plane/kubeadm-cost";

describe("a kubelet that was upgraded", () => {
    const node = (kubeletVersion: string, status: string) =>
        JSON.stringify({ status: { nodeInfo: { kubeletVersion }, conditions: [{ type: "Ready", status }] } });

    it("runs when its node is Ready with the new version", () => assert.ok(runs(node("v1.36.3", "True"), "1.36.3")));

    it("does not with the old one, or when it is not Ready", () => {
        assert.ok(!runs(node("v1.35.4", "True"), "1.36.3"));
        assert.ok(!runs(node("v1.36.3", "False"), "1.36.3"));
        assert.ok(!runs(JSON.stringify({ status: { nodeInfo: { kubeletVersion: "v1.36.3" } } }), "1.36.3"));
    });
});
