import assert from "node:assert/strict";
import { kubeconfig } from "../../../../../cluster/kubeconfig";
import { accessOf, firstAnswer, hasReadyPod, longestGap } from "../../../../../dev/bench/control-plane/api";

describe("access to a measured cluster", () => {
    const text = kubeconfig({
        cluster: "c",
        server: "https://load-balancer:6443",
        ca: "CA",
        user: "admin",
        credentials: { cert: "CERT", key: "KEY" },
    });

    it("is that of its kubeconfig, with another address if given", () => {
        const { server, ca, cert, key } = accessOf(text);
        assert.deepEqual([server, ...[ca, cert, key].map(String)], ["https://load-balancer:6443", "CA", "CERT", "KEY"]);
        assert.equal(accessOf(text, "https://node:6443").server, "https://node:6443");
    });

    it("reports what it waited for on timeout", async () => {
        const access = { ...accessOf(text, "https://127.0.0.1:1"), ca: undefined, cert: undefined, key: undefined };
        const limits = { deadline: Date.now(), signal: new AbortController().signal };
        await assert.rejects(
            firstAnswer(access as never, "/readyz", limits),
            /https:\/\/127.0.0.1:1\/readyz did not respond as expected in time: .*ECONNREFUSED/,
        );
    });
});

describe("a pod of the self-hosted control plane", () => {
    const pods = (...conditions: { type: string; status: string }[]) =>
        JSON.stringify({ items: [{ metadata: { name: "kube-apiserver-x7k2p" }, status: { conditions } }] });

    it("is ready according to its own condition only", () => {
        const ready = pods({ type: "Ready", status: "True" });
        assert.ok(hasReadyPod(ready, "kube-apiserver-"));
        assert.ok(!hasReadyPod(ready, "kube-scheduler-"));
        assert.ok(!hasReadyPod(pods({ type: "Ready", status: "False" }), "kube-apiserver-"));
        assert.ok(!hasReadyPod(pods(), "kube-apiserver-"));
    });
});

describe("the longest gap between responses", () => {
    it("is between two consecutive ones", () => {
        assert.equal(longestGap([100, 900, 300, 400]), 500);
        assert.equal(longestGap([100]), 0);
    });
});
