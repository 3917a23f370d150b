import assert from "node:assert/strict";
import { defaultLimits } from "../../../agents/nodes/node-agent/plan";
import { requireDrainTimeout } from "../../../cluster/durations";

describe("the time in which a pool's node is to be drained", () => {
    it("defaults to the agent's own limit, so that the plan can omit it", () => {
        assert.equal(requireDrainTimeout("workerPools[0]"), defaultLimits.drain);
    });

    it("is from 30 seconds to 2 hours", () => {
        assert.deepEqual(
            ["30s", "2h"].map((each) => requireDrainTimeout("workerPools[0]", each)),
            [30, 7200],
        );
        for (const wrong of ["29s", "121m", "5"]) {
            assert.throws(() => requireDrainTimeout("workerPools[1]", wrong), {
                message: `workerPools[1].drainTimeout must be a duration from 30s to 2h (got ${wrong})`,
            });
        }
    });
});
