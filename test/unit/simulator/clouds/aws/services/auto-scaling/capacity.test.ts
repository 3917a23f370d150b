import assert from "node:assert/strict";
import { groups } from "./example-groups";

describe("the size of a simulated account's groups", () => {
    it("is set between the minimum and the maximum, for groups of the autoscaler", async () => {
        const { ask, account } = groups();
        const set = async (AutoScalingGroupName: string, DesiredCapacity: string) =>
            (await ask("SetDesiredCapacity", { AutoScalingGroupName, DesiredCapacity })).code;
        assert.equal(await set("c-a", "3"), undefined);
        assert.equal(account.find("autoScalingGroups", "c-a").desired, 3);
        assert.equal(await set("c-a", "4"), "ValidationError");
        assert.equal(await set("c-b", "2"), "AccessDenied");
        assert.deepEqual(
            ["c-a", "c-b"].map((name) => account.find("autoScalingGroups", name).desired),
            [3, 1],
        );
    });

    it("shrinks by an instance, which waits until its hook is completed", async () => {
        const { ask, account } = groups();
        account.put("lifecycleHooks", "c-a-drain", { name: "c-a-drain", group: "c-a", seconds: 300 });
        const end = (InstanceId: string) =>
            ask("TerminateInstanceInAutoScalingGroup", { InstanceId, ShouldDecrementDesiredCapacity: "true" });
        const { status, text } = await end("i-1");
        assert.equal(status, 200);
        assert.match(text, /<Description>Terminating EC2 instance: i-1<\/Description>/);
        assert.equal(account.find("autoScalingGroups", "c-a").desired, 0);
        assert.ok(Date.parse(account.find("instances", "i-1").waiting!.until) > Date.now());
        assert.equal((await end("i-1")).code, "ValidationError");
        assert.equal((await end("i-2")).code, "ValidationError");
    });

    it("is unchanged for a group that does not belong to the autoscaler", async () => {
        const { ask, account } = groups();
        account.change("instances", "i-2", (now) => ({ ...now, createdBy: "c-b", createdFrom: "lt-1:1" }));
        const form = { InstanceId: "i-2", ShouldDecrementDesiredCapacity: "true" };
        assert.equal((await ask("TerminateInstanceInAutoScalingGroup", form)).code, "AccessDenied");
        assert.equal(account.find("instances", "i-2").waiting, undefined);
    });
});
