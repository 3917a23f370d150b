import assert from "node:assert/strict";
import type { Instance } from "../../../../../simulator/clouds/aws/account";
import { groupTree } from "../../../../../simulator/clouds/aws/group-actions";

describe("what the metadata service tells an instance of its group", () => {
    const told = (more: Partial<Instance>) => groupTree(more as Instance);
    const state = (text: string) => ({ autoscaling: { "target-lifecycle-state": text } });

    it("is nothing where it has none", () => assert.deepEqual(told({}), {}));

    it("is that it stays, or that it is ended", () => {
        assert.deepEqual(told({ madeBy: "c-a" }), state("InService"));
        assert.deepEqual(told({ madeBy: "c-a", waiting: { until: "2030-01-01T00:00:00Z" } }), state("Terminated"));
    });
});
