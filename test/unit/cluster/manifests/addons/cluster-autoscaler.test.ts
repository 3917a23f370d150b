import assert from "node:assert/strict";
import { autoscalerFlags, clusterAutoscaler } from "../../../../../cluster/manifests/addons/cluster-autoscaler";
import { autoscalerTags } from "../../../../../components/aws/machines/scaling";
import { fixedCluster } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

const cluster = fixedCluster({ cloudProvider: "aws", workerPools: [{ name: "a" }] });
const flags = autoscalerFlags({}, "clusterAutoscaler");
const manifests = clusterAutoscaler(cluster, { region: "eu-central-1", autoscalerFlags: flags });

describe("cluster-autoscaler", () => {
    it("is as reviewed", () => golden(__dirname, "cluster-autoscaler", manifests));

    it("finds groups by tags that only scaling groups have", () => {
        const [, keys] = /asg:tag=([^"]+)/.exec(JSON.stringify(manifests))!;
        const pool = { instanceTypes: ["t3.medium"], most: 3, drainSeconds: 300 };
        const scaling = { ...pool, scaling: { min: 1, max: 3 } };
        const tags = autoscalerTags("c", cluster.workerPools[0]!, scaling);
        assert.deepEqual(
            keys!.split(",").filter((key) => !(key in tags)),
            [],
        );
        assert.deepEqual(autoscalerTags("c", cluster.workerPools[0]!, pool), {});
    });

    it("evicts pods and taints nodes, and reads no Secret", () => {
        const { rules } = manifests.find(({ kind }) => kind === "ClusterRole")! as unknown as {
            rules: { resources: string[]; verbs: string[] }[];
        };
        const changes = rules.filter(({ verbs }) => verbs.some((verb) => /create|update|patch|delete/.test(verb)));
        assert.deepEqual(
            [...new Set(changes.flatMap(({ resources }) => resources))],
            ["events", "nodes", "pods/eviction", "pods/status", "leases"],
        );
        assert.doesNotMatch(JSON.stringify(manifests), /secrets|"\*"/);
    });
});
