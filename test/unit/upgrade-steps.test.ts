import assert from "node:assert/strict";
import type { Tallies } from "../cluster/prober";
import { describeSteps, outOfTurn } from "../cluster/upgrade-steps";

const tally = (...failures: { at: string; what: string }[]) => ({ requests: 100, failures, longestGap: 50 });
const second = (number: number) => `2026-11-23T00:00:${String(number).padStart(2, "0")}.000Z`;
const operation = (kind: string, verb: string, name: string, begin: number, seconds: number) => ({
    ...{ kind, verb, name: `c/${kind.toLowerCase()}/kube-system/${name}` },
    ...{ at: second(begin), seconds },
});

describe("the steps of an upgrade, alongside requests", () => {
    it("are what rolled pods, how long each took and what failed meanwhile", () => {
        const operations = [
            operation("DaemonSet", "updated", "kube-apiserver", 10, 15),
            operation("ConfigMap", "updated", "kube-proxy", 25, 1),
            operation("DaemonSet", "created", "new", 25, 1),
            operation("Deployment", "updated", "coredns", 27, 3),
        ];
        const tallies: Tallies = {
            new: tally({ at: second(12), what: "read ECONNRESET" }, { at: second(50), what: "HTTP 500" }),
            http2: tally(),
            watch: tally({ at: second(25), what: "HTTP 429" }),
            keepAlive: tally(),
        };
        assert.deepEqual(describeSteps({ operations }, tallies), [
            "kube-apiserver: 15 s, 2 failed; new: read ECONNRESET; watch: HTTP 429",
            "coredns: 3 s, 0 failed",
        ]);
    });

    it("are out of turn if they end before one they should wait for", () => {
        const pools = ["controller", "a", "b"];
        const inTurn = [
            ...["checkpointer", "kube-apiserver", "kube-scheduler", "etcd-keeper", "kube-controller-manager"],
            ...["coredns", "flannel", "kube-proxy", "node-agent-controller", "node-agent-a", "node-agent-b"],
        ];
        assert.deepEqual(outOfTurn(inTurn, pools), []);
        assert.deepEqual(outOfTurn(["kube-scheduler", "kube-apiserver", "flannel"], pools), ["kube-scheduler"]);
        assert.deepEqual(outOfTurn(["node-agent-a", "coredns", "checkpointer"], pools), ["node-agent-a", "coredns"]);
        assert.deepEqual(outOfTurn(["node-agent-b", "node-agent-a"], pools), ["node-agent-b"]);
    });
});
