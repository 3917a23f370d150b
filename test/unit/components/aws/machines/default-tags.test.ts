import assert from "node:assert/strict";
import { deployWithDefaultTags } from "../deploy-aws";

describe("what a pool on AWS launches", function () {
    this.timeout(60_000);

    const launched = async () => {
        const given = { workerPools: [{ name: "a" }] };
        const { resources } = await deployWithDefaultTags({ team: "theirs", cost: "7" }, given);
        const { inputs } = resources.find(({ type }) => type.endsWith(":LaunchTemplate"))!;
        return inputs.tagSpecifications as { resourceType: string; tags: Record<string, string> }[];
    };

    it("has the provider's default tags, except those that the stack sets", async () => {
        for (const { tags } of await launched()) assert.deepEqual([tags.team, tags.cost], ["infra", "7"]);
    });
});
