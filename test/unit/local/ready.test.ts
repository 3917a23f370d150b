import assert from "node:assert/strict";
import { hostname } from "node:os";
import { ApiError } from "../../../clients/kubernetes/api-error";
import { isReady, nodeTimes, podsToWaitFor, wait, whatIsReady, whyNotReady } from "../../../local/ready";
import { isHeld } from "../../../local/up";

describe("a node or pod", () => {
    const object = (status: object) => ({ metadata: { name: "a" }, status });

    it("is ready if its condition says so, or if it has completed", () => {
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
        metadata: { name, ownerReferences: [{ kind, name: "o", uid }] },
        spec: { nodeName, containers: [] },
        status: { phase, conditions: [{ type: "Ready", status: phase === "Running" ? "True" : "False" }] },
    });

    for (const [what, pods, waited] of [
        ["not failed pods of a Job", [pod("a", "Failed", "Job")], []],
        ["unfinished pods of a Job", [pod("a", "Pending", "Job")], ["a"]],
        ["failed pods without a replacement", [pod("a", "Failed", "ReplicaSet")], ["a"]],
        [
            "not failed pods that were replaced on any node",
            [pod("a", "Failed", "ReplicaSet"), pod("b", "Running", "ReplicaSet", "n1")],
            [],
        ],
        ["the replacement", [pod("a", "Failed", "ReplicaSet"), pod("b", "Pending", "ReplicaSet", "n1")], ["b"]],
        [
            "failed pods of a DaemonSet that only has pods on other nodes",
            [pod("a", "Failed", "DaemonSet"), pod("b", "Running", "DaemonSet", "n1")],
            ["a"],
        ],
        [
            "not failed pods of a DaemonSet that has another on the same node",
            [pod("a", "Failed", "DaemonSet"), pod("b", "Running", "DaemonSet")],
            [],
        ],
        [
            "failed pods, regardless of other owners' pods",
            [pod("a", "Failed", "ReplicaSet", "n0", "x"), pod("b", "Running", "ReplicaSet", "n0", "y")],
            ["a"],
        ],
    ] as const) {
        it(`are ${what}`, () => assert.deepEqual(podsToWaitFor(pods), waited));
    }
});

describe("the reason why a node is not ready", () => {
    const node = (condition: object) => ({
        metadata: { name: "a" },
        status: { conditions: [{ type: "Ready", status: "False", ...condition }] },
    });

    it("is reported by its kubelet, missing, or that it never joined", () => {
        const words = { reason: "KubeletNotReady", message: "cni plugin not initialized" };
        assert.equal(whyNotReady(node(words)), "KubeletNotReady: cni plugin not initialized");
        assert.equal(whyNotReady(node({})), "its kubelet has not reported a reason");
        assert.equal(whyNotReady(undefined), "it never joined");
    });
});

describe("a cluster whose CNI users install", () => {
    const node = (name: string, status: string, message = "") => ({
        metadata: { name },
        status: { conditions: [{ type: "Ready", status, message }] },
    });
    const pod = (name: string, hostNetwork: boolean, status: string) => ({
        metadata: { name },
        spec: { hostNetwork, containers: [] },
        status: { phase: "Running", conditions: [{ type: "Ready", status }] },
    });
    const lacking =
        "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized";
    const pods = [pod("coredns", false, "False"), pod("kube-proxy", true, "True")];

    it("is ready while nodes wait for it, without pods that need it", () => {
        const { waiting, withoutCni } = whatIsReady(["a"], [node("a", "False", lacking)], pods, true);
        assert.deepEqual([waiting, withoutCni], [[], ["a"]]);
    });

    it("is not ready while anything else is missing", () => {
        const nodes = [node("a", "False", lacking), node("b", "False", "disk pressure")];
        const unready = [...pods, pod("checkpointer", true, "False")];
        const { waiting } = whatIsReady(["a", "b", "c"], nodes, unready, true);
        assert.deepEqual(waiting, ["b", "c", "pod checkpointer"]);
    });

    it("is like any other once it has one, as is a cluster with another CNI before", () => {
        assert.deepEqual(whatIsReady(["a"], [node("a", "True")], pods, true).waiting, ["pod coredns"]);
        assert.deepEqual(whatIsReady(["a"], [node("a", "False", lacking)], pods).waiting, ["a", "pod coredns"]);
    });
});

describe("the times of a node", () => {
    const node = (status: string, lastTransitionTime: string) => ({
        metadata: { name: "a", creationTimestamp: "2026-11-22T09:00:00Z" },
        status: { conditions: [{ type: "Ready", status, lastTransitionTime }] },
    });

    it("are when it joined, and when it became ready", () => {
        assert.deepEqual(nodeTimes(node("True", "2026-11-22T09:00:09Z")), [
            { name: "a", joined: "2026-11-22T09:00:00Z", ready: "2026-11-22T09:00:09Z" },
        ]);
    });

    it("are missing while it is not ready", () => {
        assert.deepEqual(nodeTimes(node("False", "2026-11-22T09:00:09Z")), []);
        assert.deepEqual(nodeTimes({ metadata: { name: "a" } }), []);
    });
});

describe("a stack's lock", () => {
    it("is stale if its process is gone, or has been replaced by another program", () => {
        assert.equal(isHeld({ pid: 2 ** 22 + 1, hostname: hostname() }), false);
        if (process.platform === "linux") {
            assert.equal(isHeld({ pid: process.pid, hostname: hostname() }), false);
        }
    });

    it("may be held if it is from another host", () => {
        assert.equal(isHeld({ pid: 2 ** 22 + 1, hostname: "elsewhere" }), true);
    });
});

describe("waiting for a cluster whose API refuses the administrator", () => {
    const answers = (...errors: Error[]) => ({
        call: async () => {
            throw errors.length > 1 ? errors.shift() : errors[0];
        },
    });

    it("ends with what is missing", async () => {
        const forbidden = new ApiError(403, "nodes is forbidden");
        await assert.rejects(
            wait(answers(forbidden), {}, ["c-0"], () => {}, 0),
            /^Error: permissions missing: the API refuses the administrator \(403: nodes is forbidden\)\. .*up --refresh/,
        );
    });

    it("goes on while the API only fails", async () => {
        const lines: string[] = [];
        const failing = answers(new ApiError(503, "starting"), new ApiError(401, "Unauthorized"));
        await assert.rejects(
            wait(failing, {}, ["c-0"], (line) => lines.push(line), 0),
            /permissions missing/,
        );
        assert.deepEqual(lines, ["waiting for the API (503: starting)"]);
    });
});
