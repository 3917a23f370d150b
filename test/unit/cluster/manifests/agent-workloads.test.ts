import assert from "node:assert/strict";
import { onAnyController, onOwnControllers } from "../../../../cluster/manifests/agent-workloads";
import { deployment, immutableConfigMap } from "../../../../cluster/manifests/objects";
import { fixedCluster, withCandidates } from "../../components/in-cluster/fixture";

describe("an agent that runs once in the cluster", () => {
    it("never runs twice, and moves to another controller within a minute", () => {
        const spec = { ...onAnyController(fixedCluster(), "agent"), containers: [] };
        const { spec: made, metadata } = deployment("agent", spec) as unknown as {
            metadata: { labels: object };
            spec: { replicas: number; strategy: object; selector: object; template: { metadata: object } };
        };
        assert.deepEqual([made.replicas, made.strategy], [1, { type: "Recreate" }]);
        assert.deepEqual(made.selector, { matchLabels: metadata.labels });
        assert.deepEqual(made.template.metadata, { labels: metadata.labels });
        const seconds = (spec.tolerations as { tolerationSeconds?: number }[]).map((each) => each.tolerationSeconds);
        assert.deepEqual(seconds.filter(Boolean), [60, 60]);
    });

    it("runs before the CNI that users install, and stays while a node waits for it", () => {
        const of = (cni: string) =>
            onAnyController(fixedCluster({ network: { cni } }), "agent").tolerations as {
                readonly key?: string;
                readonly tolerationSeconds?: number;
            }[];
        const ofNotReady = of("none").filter(({ key }) => key === "node.kubernetes.io/not-ready");
        assert.deepEqual(ofNotReady, [{ key: "node.kubernetes.io/not-ready", operator: "Exists" }]);
        const seconds = of("flannel").map(({ tolerationSeconds }) => tolerationSeconds);
        assert.deepEqual(seconds.filter(Boolean), [60, 60]);
    });

    it("runs on the stack's own controllers if it needs their role in the cloud, which candidates do not have", () => {
        const agent = deployment("agent", { ...onAnyController(fixedCluster(), "agent"), containers: [] });
        const others = immutableConfigMap("program", {});
        assert.deepEqual(onOwnControllers(fixedCluster(), [agent, others]), [agent, others]);
        const [placed, same] = onOwnControllers(withCandidates(), [agent, others]);
        const { affinity } = (placed!.spec as { template: { spec: { affinity: object } } }).template.spec;
        assert.match(
            JSON.stringify(affinity),
            /"kubernetes.io\/hostname","operator":"In","values":\["c-controller-0","c-controller-1","c-controller-2"\]/,
        );
        assert.deepEqual(same, others);
    });

    it("is rolled by a change of what it runs", () => {
        const name = (text: string) => immutableConfigMap("program", { "agent.js": text }).metadata.name;
        assert.match(name("a"), /^program-/);
        assert.equal(name("a"), name("a"));
        assert.notEqual(name("a"), name("b"));
    });
});
