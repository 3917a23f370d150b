import assert from "node:assert/strict";
import type { Instance } from "../../../../../simulator/clouds/aws/account";
import { groupTree } from "../../../../../simulator/clouds/aws/group-actions";

describe("what the metadata service reports to an instance about its group", () => {
    const reported = (more: Partial<Instance>) => groupTree(more as Instance);
    const state = (text: string) => ({ autoscaling: { "target-lifecycle-state": text } });

    it("is nothing without a group", () => assert.deepEqual(reported({}), {}));

    it("is whether it stays or is being terminated", () => {
        assert.deepEqual(reported({ createdBy: "c-a" }), state("InService"));
        assert.deepEqual(
            reported({ createdBy: "c-a", waiting: { until: "2030-01-01T00:00:00Z" } }),
            state("Terminated"),
        );
    });
});
