import assert from "node:assert/strict";
import { runs } from "../../../../../dev/bench/control-plane/kubeadm-cost";

describe("an upgraded kubelet", () => {
    const node = (kubeletVersion: string, status: string) =>
        JSON.stringify({ status: { nodeInfo: { kubeletVersion }, conditions: [{ type: "Ready", status }] } });

    it("is running when its node is ready with the new version", () =>
        assert.ok(runs(node("v1.36.3", "True"), "1.36.3")));

    it("is not running with the old version, or if the node is not ready", () => {
        assert.ok(!runs(node("v1.35.4", "True"), "1.36.3"));
        assert.ok(!runs(node("v1.36.3", "False"), "1.36.3"));
        assert.ok(!runs(JSON.stringify({ status: { nodeInfo: { kubeletVersion: "v1.36.3" } } }), "1.36.3"));
    });
});
