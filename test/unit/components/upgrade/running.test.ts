import assert from "node:assert/strict";
import type { ApiClient } from "../../../../clients/kubernetes/api-client";
import type { RunningCluster } from "../../../../cluster/upgrades/checks";
import { runningCluster, waitUntilHealthy } from "../../../../components/upgrade/running";

const status = (isReady: boolean, more: object = {}) => ({
    conditions: [{ type: "Ready", status: isReady ? "True" : "False" }],
    ...more,
});
const node = (name: string, isReady = true) => ({
    metadata: { name },
    status: status(isReady, { nodeInfo: { kubeletVersion: "v1.35.4" } }),
});
const agent = (nodeName: string, isReady: boolean, more: { phase?: string; deletionTimestamp?: string } = {}) => {
    const { deletionTimestamp, ...rest } = more;
    const containers = [{ name: "node-agent", image: "node:1" }];
    return { metadata: { deletionTimestamp }, spec: { nodeName, containers }, status: status(isReady, rest) };
};
const daemonSet = (name: string, numberReady: number) => ({
    ...{ metadata: { name }, spec: {} },
    status: { desiredNumberScheduled: 4, numberReady },
});

describe("what runs", () => {
    const items: Record<string, readonly object[]> = {
        nodes: [node("a"), node("b"), node("c"), node("d", false)],
        pods: [
            agent("a", true),
            agent("b", false),
            agent("c", false, { phase: "Failed" }),
            agent("c", false, { deletionTimestamp: "2026-11-24T00:00:00Z" }),
            agent("c", true),
        ],
        daemonsets: [daemonSet("flannel", 3), daemonSet("kube-proxy", 2)],
    };
    const call = async (path: string) => {
        const what = path.split("?")[0]!.split("/").at(-1)!;
        if (what === "etcd-keeper") return { metadata: { name: what }, spec: {}, status: {} };
        return what === "metrics" ? "" : { items: items[what] ?? [], data: {} };
    };

    it("has trouble with the node-agents that are not Ready, not with those that are over", async () => {
        const { nodes } = await runningCluster({ call } as unknown as ApiClient);
        assert.deepEqual(
            nodes.filter(({ isAgentReady }) => !isAgentReady).map(({ name }) => name),
            ["b"],
        );
    });

    it("lacks add-ons beyond those of nodes that are not Ready", async () => {
        const { lackingAddons } = await runningCluster({ call } as unknown as ApiClient);
        assert.deepEqual(lackingAddons, ["kube-proxy has 2 of 4 pods Ready"]);
    });
});

describe("an up over rollouts that an interrupted one left", () => {
    const running = { nodes: [], problems: [] } as unknown as RunningCluster;
    const lacking = { ...running, problems: ["kube-scheduler lacks a pod"] };

    it("waits until they are complete", async () => {
        const states = [lacking, running];
        let asked = 0;
        await waitUntilHealthy(async () => states[asked++]!, "1.36.3");
        assert.equal(asked, 2);
    });

    it("waits for a limited time", async () => {
        await waitUntilHealthy(async () => lacking, "1.36.3", 0);
    });
});
