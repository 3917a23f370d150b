import assert from "node:assert/strict";
import { condition, controllerOf, isReady, nameOf, namesOf, titleOf } from "../../../../clients/kubernetes/objects";

describe("a node", () => {
    it("is ready if its status says so, and not if unknown", () => {
        const told = (status: string) => isReady({ conditions: [{ type: "Ready", status }] });
        assert.deepEqual(["True", "False", "Unknown"].map(told), [true, false, false]);
        assert.equal(isReady({ conditions: [{ type: "MemoryPressure", status: "True" }] }), false);
        assert.equal(isReady(undefined), false);
    });
});

describe("an object", () => {
    const web = { apiVersion: "v1", kind: "Pod", metadata: { name: "web", namespace: "default" } };
    const node = { apiVersion: "v1", kind: "Node", metadata: { name: "n0" } };

    it("is named with its namespace, if it has one", () => {
        assert.deepEqual([web, node].map(nameOf), ["default/web", "n0"]);
        assert.deepEqual([web, node].map(titleOf), ["Pod default/web", "Node n0"]);
        assert.equal(namesOf([web, node]), "web, n0");
    });

    it("is managed by the owner that is its controller, and by no other", () => {
        const [job, set] = [
            { kind: "Job", name: "j" },
            { kind: "ReplicaSet", name: "s", controller: true },
        ];
        assert.equal(controllerOf({ metadata: { name: "web", ownerReferences: [job, set] } }), set);
        assert.equal(controllerOf({ metadata: { name: "web", ownerReferences: [job] } }), undefined);
        assert.equal(controllerOf(web), undefined);
    });

    it("has conditions by type, or none yet", () => {
        const scheduled = { type: "PodScheduled", status: "False" };
        assert.equal(
            condition({ conditions: [{ type: "Ready", status: "False" }, scheduled] }, "PodScheduled"),
            scheduled,
        );
        assert.equal(condition({}, "Ready"), undefined);
    });
});
