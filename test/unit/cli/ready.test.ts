import assert from "node:assert/strict";
import { hostname } from "node:os";
import { isReady, nodeTimes, whyAway } from "../../../cli/ready";
import { isHeld } from "../../../cli/resume";

describe("a node or pod", () => {
    const object = (status: object) => ({ metadata: { name: "a" }, status });

    it("is ready when its condition says so, or when it has done its work", () => {
        assert.equal(isReady(object({ conditions: [{ type: "Ready", status: "True" }] })), true);
        assert.equal(isReady(object({ phase: "Succeeded", conditions: [{ type: "Ready", status: "False" }] })), true);
    });

    it("is not ready otherwise", () => {
        for (const status of [{}, { phase: "Running" }, { conditions: [{ type: "Ready", status: "Unknown" }] }]) {
            assert.equal(isReady(object(status)), false);
        }
    });
});

describe("why a node is away", () => {
    const node = (condition: object) => ({
        metadata: { name: "a" },
        status: { conditions: [{ type: "Ready", status: "False", ...condition }] },
    });

    it("is what its kubelet says, that it says nothing, or that it never joined", () => {
        const words = { reason: "KubeletNotReady", message: "cni plugin not initialized" };
        assert.equal(whyAway(node(words)), "KubeletNotReady: cni plugin not initialized");
        assert.equal(whyAway(node({})), "its kubelet said nothing");
        assert.equal(whyAway(undefined), "it never joined");
    });
});

describe("when a node got there", () => {
    const node = (status: string, lastTransitionTime: string) => ({
        metadata: { name: "a", creationTimestamp: "2026-11-22T09:00:00Z" },
        status: { conditions: [{ type: "Ready", status, lastTransitionTime }] },
    });

    it("is when it joined, and since when it is Ready", () => {
        assert.deepEqual(nodeTimes(node("True", "2026-11-22T09:00:09Z")), [
            { name: "a", joined: "2026-11-22T09:00:00Z", ready: "2026-11-22T09:00:09Z" },
        ]);
    });

    it("is nothing while it is not Ready", () => {
        assert.deepEqual(nodeTimes(node("False", "2026-11-22T09:00:09Z")), []);
        assert.deepEqual(nodeTimes({ metadata: { name: "a" } }), []);
    });
});

describe("a stack's lock", () => {
    it("is stale when its process is gone, or is another program by now", () => {
        assert.equal(isHeld({ pid: 2 ** 22 + 1, hostname: hostname() }), false);
        if (process.platform === "linux") {
            assert.equal(isHeld({ pid: process.pid, hostname: hostname() }), false);
        }
    });

    it("may be held when it is another computer's", () => {
        assert.equal(isHeld({ pid: 2 ** 22 + 1, hostname: "elsewhere" }), true);
    });
});
