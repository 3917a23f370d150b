import assert from "node:assert/strict";
import { type TargetHealth, untilHealthy } from "../../../../cli/verify-cloud/target-health";

describe("the target health that tradewind verify-cloud checks", () => {
    const healthy: TargetHealth = { group: "c-api", target: "i-1", state: "healthy" };
    const failed = { ...healthy, target: "i-2", state: "unhealthy", reason: "Target.FailedHealthChecks: failed" };
    const check = (...all: TargetHealth[]) =>
        untilHealthy(
            async () => all,
            () => undefined,
            0,
        );

    it("is the state of each target", async () => {
        assert.equal(
            await check(healthy, { ...healthy, group: "c-nodes" }),
            "i-1 of c-api is healthy; i-1 of c-nodes is healthy",
        );
    });

    it("must be healthy for all, with the reason if it is not", async () => {
        await assert.rejects(
            check(healthy, failed),
            /last seen: i-1 of c-api is healthy; i-2 of c-api is unhealthy \(Target\.FailedHealthChecks: failed\)$/,
        );
        await assert.rejects(check(), /last seen: no target$/);
    });
});
