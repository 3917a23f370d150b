import assert from "node:assert/strict";
import { spread } from "../../../../../cli/status/collect/hosts";
import {
    conditionFacts,
    leaderFacts,
    nodeFacts,
    unlistedApps,
    workloadFacts,
} from "../../../../../cli/status/collect/nodes";
import type { DaemonSet, Node } from "../../../../../clients/kubernetes/objects";

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
            { kind: "DaemonSet", name: "x", desired: 3, present: 2 },
            { kind: "Deployment", name: "x", desired: 1, present: 0 },
        ]);
    });
});

describe("a cluster with many nodes", () => {
    const set = (name: string, app: string, pods: number, change: DaemonSet["status"] = {}): DaemonSet => ({
        metadata: { name, generation: 2 },
        spec: {
            selector: { matchLabels: { "k8s-app": app } },
            template: { spec: { containers: [{ name: app, image: `registry.k8s.io/${app}:v1.36.3` }] } },
        },
        status: {
            ...{ observedGeneration: 2, desiredNumberScheduled: pods, currentNumberScheduled: pods },
            ...{ updatedNumberScheduled: pods, numberReady: pods, ...change },
        },
    });

    it("has the pods of a DaemonSet listed only if there are few, or one of them is not as it should be", () => {
        assert.deepEqual(unlistedApps([set("kube-proxy", "kube-proxy", 1000), set("flannel", "flannel", 49)]), [
            "kube-proxy",
        ]);
        for (const change of [{ numberReady: 999 }, { updatedNumberScheduled: 999 }, { observedGeneration: 1 }]) {
            assert.deepEqual(unlistedApps([set("kube-proxy", "kube-proxy", 1000, change)]), []);
        }
        // They have one label, so that all or none are listed.
        const agents = (numberReady: number) => [
            set("node-agent-a", "node-agent", 500),
            set("node-agent-b", "node-agent", 500, { numberReady }),
        ];
        assert.deepEqual(unlistedApps(agents(500)), ["node-agent"]);
        assert.deepEqual(unlistedApps(agents(499)), []);
        assert.deepEqual(unlistedApps([set("users", "", 1000)]), []);
    });

    it("lists the conditions of a node that are true, except for Ready", () => {
        const of = (type: string, status: string) => ({ type, status });
        const conditions = [of("Ready", "True"), of("PIDPressure", "True"), of("DiskPressure", "False")];
        assert.deepEqual(conditionFacts({ metadata: { name: "n" }, status: { conditions } } as Node), ["PIDPressure"]);
        assert.deepEqual(conditionFacts({ metadata: { name: "n" } } as Node), []);
    });

    it("says of what is not listed how many there are, and a component's version", () => {
        const many = { kind: "DaemonSet", desired: 60, present: 60, isUnlisted: true };
        assert.deepEqual(workloadFacts([set("kube-proxy", "kube-proxy", 60), set("flannel", "flannel", 60)], []), [
            { ...many, name: "kube-proxy", app: "kube-proxy", version: "1.36.3" },
            { ...many, name: "flannel", app: "flannel" },
        ]);
    });

    it("has only some of its workers probed, evenly spread", () => {
        const numbers = Array.from({ length: 1000 }, (_, index) => index);
        const some = spread(numbers, 50);
        assert.deepEqual([some.length, some[0], some[1], some[49]], [50, 0, 20, 980]);
        assert.deepEqual(spread([1, 2, 3], 50), [1, 2, 3]);
        assert.equal(spread(numbers.slice(0, 51), 50).length, 50);
    });
});
