import assert from "node:assert/strict";
import {
    desiredNodes,
    desiredNodesName,
    namedIn,
    poolKey,
    poolsIn,
    sizesIn,
} from "../../../../../cluster/manifests/nodes/desired-nodes";
import { fixedCluster } from "../../../components/in-cluster/fixture";

const cluster = fixedCluster({ workerPools: [{ name: "blue", count: 2 }] });
const dataOf = (groups?: { namePattern: string; desired: string[] }) =>
    desiredNodes(cluster, groups).find(({ kind }) => kind === "ConfigMap")!.data as Record<string, string>;

describe("the record of the stack's nodes", () => {
    it("has each node with its pool, and pools whose nodes the cloud names", () => {
        const data = dataOf({ namePattern: "^i-", desired: ["spot"] });
        assert.equal(data[cluster.controllers.names[0]!], "controller");
        assert.equal(data["c-blue-1"], "blue");
        assert.equal(data[poolKey("spot")], "any");
        assert.deepEqual(namedIn(data), Object.keys(dataOf()));
        assert.deepEqual(namedIn(undefined), []);
    });

    it("has the size of a pool whose nodes the cloud names, but none of its nodes by name", () => {
        const data = dataOf({ namePattern: "^i-", desired: ["blue"] });
        assert.deepEqual(namedIn(data), cluster.controllers.names);
        assert.deepEqual(poolsIn(data), { "c-controller-0": "controller" });
        assert.deepEqual(sizesIn(data), { blue: 2 });
        assert.deepEqual(sizesIn(dataOf()), {});
    });

    it("can only be read by nodes", () => {
        const role = desiredNodes(cluster).find(({ kind }) => kind === "Role")!;
        const rule = { apiGroups: [""], resources: ["configmaps"], resourceNames: [desiredNodesName], verbs: ["get"] };
        assert.deepEqual(role.rules, [rule]);
        const { subjects } = desiredNodes(cluster).find(({ kind }) => kind === "RoleBinding")!;
        assert.deepEqual(
            (subjects as { name: string }[]).map(({ name }) => name),
            ["system:nodes"],
        );
    });
});
