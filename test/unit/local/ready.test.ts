import assert from "node:assert/strict";
import { hostname } from "node:os";
import { isReady, nodeTimes, podsToWaitFor, whyAway } from "../../../local/ready";
import { isHeld } from "../../../local/up";

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

describe("pods to wait for", () => {
    const pod = (name: string, phase: string, kind: string, nodeName = "n0", uid = `of ${kind}`) => ({
        metadata: { name, ownerReferences: [{ kind, uid }] },
        spec: { nodeName },
        status: { phase, conditions: [{ type: "Ready", status: phase === "Running" ? "True" : "False" }] },
    });

    for (const [what, pods, waited] of [
        ["not a failed one of a Job", [pod("a", "Failed", "Job")], []],
        ["one of a Job that has not ended", [pod("a", "Pending", "Job")], ["a"]],
        ["a failed one that nothing has replaced", [pod("a", "Failed", "ReplicaSet")], ["a"]],
        [
            "not a failed one that another has replaced, on whatever node",
            [pod("a", "Failed", "ReplicaSet"), pod("b", "Running", "ReplicaSet", "n1")],
            [],
        ],
        [
            "the one that replaced it",
            [pod("a", "Failed", "ReplicaSet"), pod("b", "Pending", "ReplicaSet", "n1")],
            ["b"],
        ],
        [
            "a failed one of a DaemonSet, if it has another on its other nodes alone",
            [pod("a", "Failed", "DaemonSet"), pod("b", "Running", "DaemonSet", "n1")],
            ["a"],
        ],
        [
            "not a failed one of a DaemonSet, if it has another on the same node",
            [pod("a", "Failed", "DaemonSet"), pod("b", "Running", "DaemonSet")],
            [],
        ],
        [
            "a failed one, whatever another owner has",
            [pod("a", "Failed", "ReplicaSet", "n0", "x"), pod("b", "Running", "ReplicaSet", "n0", "y")],
            ["a"],
        ],
    ] as const) {
        it(`are ${what}`, () => assert.deepEqual(podsToWaitFor(pods), waited));
    }
});

describe("why a node is away", () => {
    const node = (condition: object) => ({
        metadata: { name: "a" },
        status: { conditions: [{ type: "Ready", status: "False", ...condition }] },
    });

    it("is what its kubelet says, that it says nothing, or that it never joined", () => {
        const words = { reason: "KubeletNotReady", message: "cni plugin not initialized" };
        assert.equal(whyAway(node(words)), "KubeletNotReady: cni plugin not initialized");
        assert.equal(whyAway(node({})), "its kubelet has not reported a reason");
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
