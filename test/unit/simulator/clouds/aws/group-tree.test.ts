import assert from "node:assert/strict";
import type { Instance } from "../../../../../simulator/clouds/aws/account";
import { groupTree } from "../../../../../simulator/clouds/aws/group-actions";

describe("what the metadata service reports to an instance about its group", () => {
    const told = (more: Partial<Instance>) => groupTree(more as Instance);
    const state = (text: string) => ({ autoscaling: { "target-lifecycle-state": text } });

    it("is nothing without a group", () => assert.deepEqual(told({}), {}));

    it("is whether it stays or is being terminated", () => {
        assert.deepEqual(told({ madeBy: "c-a" }), state("InService"));
        assert.deepEqual(told({ madeBy: "c-a", waiting: { until: "2030-01-01T00:00:00Z" } }), state("Terminated"));
    });
});
