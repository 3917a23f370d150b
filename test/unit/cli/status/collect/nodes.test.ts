import assert from "node:assert/strict";
import { leaderFacts, nodeFacts, workloadFacts } from "../../../../../cli/status/collect/nodes";

describe("the facts of a node", () => {
    it("are its role, address, kubelet, pool and readiness", () => {
        const node = {
            metadata: {
                name: "c-0",
                labels: { "node-role.kubernetes.io/control-plane": "", "node.kubernetes.io/pool": "controller" },
            },
            spec: { unschedulable: true },
            status: {
                conditions: [{ type: "Ready", status: "Unknown", message: "stopped posting" }],
                addresses: [
                    { type: "Hostname", address: "c-0" },
                    { type: "InternalIP", address: "10.0.0.11" },
                ],
                nodeInfo: { kubeletVersion: "v1.36.3" },
            },
        };
        assert.deepEqual(nodeFacts(node), {
            name: "c-0",
            address: "10.0.0.11",
            isController: true,
            isReady: false,
            problem: "stopped posting",
            isCordoned: true,
            kubelet: "1.36.3",
            pool: "controller",
        });
    });
});

describe("the facts of a leader", () => {
    const now = Date.parse("2026-11-21T06:00:10Z");
    const lease = (holderIdentity?: string) => ({
        metadata: { name: "kube-scheduler" },
        spec: { holderIdentity, leaseDurationSeconds: 15, renewTime: "2026-11-21T06:00:00.123456Z" },
    });

    it("are its node and when it last renewed its lease", () => {
        const facts = { component: "kube-scheduler", ageSeconds: 10, leaseSeconds: 15 };
        assert.deepEqual(leaderFacts(lease("my_host_6d1e"), now), { ...facts, node: "my_host" });
        assert.deepEqual(leaderFacts(lease(""), now), { ...facts, node: undefined });
    });
});

describe("the facts of workloads", () => {
    it("are the desired and existing numbers of pods", () => {
        const metadata = { name: "x" };
        const daemonSet = { metadata, status: { desiredNumberScheduled: 3, currentNumberScheduled: 2 } };
        assert.deepEqual(workloadFacts([daemonSet], [{ metadata, spec: {}, status: {} }]), [
            { kind: "DaemonSet", name: "x", wanted: 3, present: 2 },
            { kind: "Deployment", name: "x", wanted: 1, present: 0 },
        ]);
    });
});
