import assert from "node:assert/strict";
import { releasePermissions } from "../../../../../../../components/aws/machines/workers";
import { lifecycleHook } from "../../../../../../../simulator/clouds/aws/lifecycle-hook";
import { autoScaling } from "../../../../../../../simulator/clouds/aws/services/auto-scaling";
import { asked } from "../query/asked";

const permissions = [releasePermissions({ cluster: "c", pool: "a", region: "eu-central-1" })];
const form = {
    AutoScalingGroupName: "c-a",
    LifecycleHookName: "c-a-drain",
    InstanceId: "i-1",
    LifecycleActionResult: "CONTINUE",
};
const far = "2100-01-01T00:00:00.000Z";

describe("Auto Scaling of a simulated account, used by an instance", () => {
    const prepare = () => {
        const all = asked(autoScaling, "2011-01-01", permissions);
        const { account } = all;
        for (const name of ["c-a", "c-b"]) {
            account.put("autoScalingGroups", name, { name } as never);
            account.put("lifecycleHooks", `${name}-drain`, { name: `${name}-drain`, group: name, seconds: 300 });
        }
        account.change("instances", "i-1", (each) => ({ ...each, createdBy: "c-a", waiting: { until: far } }));
        account.change("instances", "i-2", (each) => ({ ...each, createdBy: "c-a" }));
        const isWaited = () => Date.parse(account.find("instances", "i-1").waiting!.until) > Date.now();
        return { ...all, isWaited };
    };

    it("stops waiting for one that may be terminated, and rejects the next request", async () => {
        const { ask, isWaited } = prepare();
        assert.equal((await ask("CompleteLifecycleAction", form)).status, 200);
        assert.equal(isWaited(), false);
        const { code, text } = await ask("CompleteLifecycleAction", form);
        assert.equal(code, "ValidationError");
        assert.match(text, /No active Lifecycle Action found with instance ID i-1/);
    });

    it("rejects requests for one that stays, for another hook, or from a role of another group", async () => {
        const { ask, isWaited } = prepare();
        const codes = [];
        for (const more of [
            { InstanceId: "i-2" },
            { InstanceId: "i-3" },
            { LifecycleHookName: "c-b-drain" },
            { AutoScalingGroupName: "c-b", LifecycleHookName: "c-b-drain" },
        ]) {
            codes.push((await ask("CompleteLifecycleAction", { ...form, ...more })).code);
        }
        assert.deepEqual(codes, ["ValidationError", "ValidationError", "ValidationError", "AccessDenied"]);
        assert.equal(isWaited(), true);
    });

    it("continues when its hook is deleted", async () => {
        const { account, isWaited } = prepare();
        await lifecycleHook.delete(account, "c-a-drain");
        assert.equal(isWaited(), false);
        assert.deepEqual(Object.keys(account.resources.lifecycleHooks), ["c-b-drain"]);
        assert.equal(account.find("instances", "i-2").waiting, undefined);
    });
});
