import assert from "node:assert/strict";
import { decideRejoin, type NetworkView, type Rejoining } from "../../../../../agents/nodes/node-agent/rejoin-network";
import type { NodePod } from "../../../../../clients/kubernetes/kubelet-api";

const outside: NetworkView = { uid: "new", isJoined: false, podCidrs: ["10.2.3.0/24", "fd00:3::/64"] };
const joined = { ...outside, isJoined: true };

function pod(name: string, podIP: string, more: object = {}): NodePod {
    return {
        metadata: { name, namespace: "kube-system", uid: name, labels: { "k8s-app": name } },
        spec: { containers: [], ...more },
        status: { phase: "Running", podIP, conditions: [{ type: "Ready", status: "True" }] },
    };
}

const flannel = pod("flannel", "192.168.0.1", { hostNetwork: true });
const proxy = pod("kube-proxy", "192.168.0.1", { hostNetwork: true });
const old = pod("old", "10.2.1.7");
const same = pod("same", "10.2.3.7");
const six = pod("six", "fd00:1::7");
const pods = [flannel, proxy, old, same, six];

/** Names of what is removed at each of several moments. */
function removed(...looks: [number, NetworkView, readonly NodePod[]][]): string[][] {
    let memory: Rejoining = {};
    return looks.map(([now, node, all]) => {
        const decision = decideRejoin(node, all, memory, now);
        memory = decision.memory;
        return decision.remove.map(({ metadata }) => metadata.name);
    });
}

describe("a Node that was registered again", () => {
    it("restarts flannel, and then the pods whose addresses belong to another node", () => {
        const later = [{ ...flannel, metadata: { ...flannel.metadata, uid: "2" } }, proxy, old, same, six];
        assert.deepEqual(
            removed(
                [0, outside, pods],
                [44, outside, pods],
                [45, outside, pods],
                [60, outside, later],
                [70, joined, later],
            ),
            [[], [], ["flannel"], [], ["old", "six"]],
        );
    });

    it("does so once", () => {
        assert.deepEqual(
            removed([0, outside, pods], [45, outside, pods], [999, outside, pods], [1099, outside, pods]),
            [[], ["flannel"], [], []],
        );
    });

    it("retries until they are removed", () => {
        const left = [flannel, proxy, same, six];
        assert.deepEqual(
            removed([0, outside, pods], [45, outside, pods], [60, joined, pods], [75, joined, left], [90, joined, []]),
            [[], ["flannel"], ["old", "six"], ["six"], []],
        );
    });

    it("does so for another Node too", () => {
        const other = { ...outside, uid: "newer" };
        assert.deepEqual(removed([0, outside, pods], [45, outside, pods], [60, other, pods], [105, other, pods])[3], [
            "flannel",
        ]);
    });

    it("leaves pods of a node in the network alone, whatever their addresses", () =>
        assert.deepEqual(removed([0, joined, pods], [100, joined, pods]), [[], []]));

    it("does nothing if flannel is not running, or has just started", () => {
        const others = pods.filter((each) => each !== flannel);
        assert.deepEqual(removed([0, outside, others], [100, outside, others]), [[], []]);
        assert.deepEqual(removed([0, outside, pods], [30, outside, others], [60, outside, pods]), [[], [], []]);
        const foreign = { ...flannel, metadata: { ...flannel.metadata, namespace: "prod" } };
        assert.deepEqual(removed([0, outside, [foreign]], [100, outside, [foreign]]), [[], []]);
    });
});
