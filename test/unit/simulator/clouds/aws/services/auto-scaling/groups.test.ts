import assert from "node:assert/strict";
import { groups, owned } from "./example-groups";

describe("groups of a simulated account, as cluster-autoscaler reads them", () => {
    const found = (text: string) =>
        [...text.matchAll(/<AutoScalingGroupName>(.*?)<\/AutoScalingGroupName>/g)].map(([, name]) => name);

    it("are found by their tags and names", async () => {
        const { ask } = groups();
        const filters = Object.keys(owned).flatMap((key, index) => [
            [`Filters.member.${index + 1}.Name`, "tag-key"],
            [`Filters.member.${index + 1}.Values.member.1`, key],
        ]);
        const tagged = await ask("DescribeAutoScalingGroups", Object.fromEntries(filters));
        assert.deepEqual(found(tagged.text), ["c-a"]);
        const named = await ask("DescribeAutoScalingGroups", { "AutoScalingGroupNames.member.1": "c-b" });
        assert.deepEqual(found(named.text), ["c-b"]);
        assert.deepEqual(found((await ask("DescribeAutoScalingGroups")).text), ["c-a", "c-b"]);
    });

    it("contain what they launch, their sizes, and the state of their instances", async () => {
        const { ask, account } = groups();
        const state = async () => /<LifecycleState>(.*?)</.exec((await ask("DescribeAutoScalingGroups")).text)?.[1];
        const { text } = await ask("DescribeAutoScalingGroups");
        for (const part of [
            "<MinSize>0</MinSize><MaxSize>3</MaxSize><DesiredCapacity>1</DesiredCapacity>",
            "<AvailabilityZones><member>eu-central-1a</member></AvailabilityZones>",
            "<LaunchTemplate><LaunchTemplateId>lt-1</LaunchTemplateId><LaunchTemplateName>c-a</LaunchTemplateName>",
            "<InstanceId>i-1</InstanceId>",
            "<Overrides><member><InstanceType>t3.medium</InstanceType></member><member><InstanceType>t3a.medium<",
            "<Key>k8s.io/cluster-autoscaler/c</Key><Value>owned</Value>",
        ]) {
            assert.ok(text.includes(part), `${part} in ${text}`);
        }
        assert.equal(await state(), "InService");
        const is = (more: object) => account.change("instances", "i-1", (now) => ({ ...now, ...more }));
        is({ waiting: { until: "2100-01-01T00:00:00.000Z" } });
        assert.equal(await state(), "Terminating:Wait");
        is({ waiting: { until: "2100-01-01T00:00:00.000Z", isReleased: true } });
        assert.equal(await state(), "Terminating:Proceed");
        is({ state: "shutting-down" });
        assert.equal(await state(), "Terminating");
        is({ state: "pending", waiting: undefined });
        assert.equal(await state(), "Pending");
    });

    it("have an activity for each launch, and for each one that failed, the newest first", async () => {
        const { ask, account } = groups();
        const activities = async (AutoScalingGroupName: string) =>
            (await ask("DescribeScalingActivities", { AutoScalingGroupName })).text;
        assert.ok((await activities("c-b")).includes("<Activities></Activities>"));
        account.change("instances", "i-1", (now) => ({ ...now, launched: "2030-01-01T00:00:00Z" }));
        const failures = { "No capacity.": "2030-01-02T00:00:00Z" };
        account.change("autoScalingGroups", "c-a", (now) => ({ ...now, failures }));
        assert.match(
            await activities("c-a"),
            /<StatusCode>Failed<.*<StatusMessage>No capacity\.<.*<StatusCode>Successful</,
        );
    });
});
