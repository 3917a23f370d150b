import assert from "node:assert/strict";
import { initialCluster } from "../../../../../agents/etcd/join/join";

describe("the initial cluster", () => {
    it("has the cluster's members: this one with its name, and unnamed ones with their ID", () => {
        const members = [
            { ID: "1", name: "c-controller-0", peerURLs: ["https://a:2380"] },
            { ID: "2", peerURLs: ["https://b:2380"], isLearner: true },
            { ID: "3", peerURLs: ["https://c:2380"] },
        ];
        assert.equal(
            initialCluster({ name: "c-controller-1", peerUrl: "https://b:2380" }, members),
            "c-controller-0=https://a:2380,c-controller-1=https://b:2380,3=https://c:2380",
        );
    });
});
