import assert from "node:assert/strict";
import { allClouds } from "../../../cluster/clouds";
import { ComponentProvider } from "../../../plugin/provider";

const all = allClouds.map(({ component }) => `tradewind:index:${component}`);

describe("the plugin", () => {
    it("describes each component in the version of the package", () => {
        const { name, version, resources } = JSON.parse(new ComponentProvider().schema);
        assert.deepEqual([name, version], ["tradewind", require("../../../package.json").version]);
        assert.deepEqual(Object.keys(resources), all);
    });

    it("makes no other", async () => {
        await assert.rejects(new ComponentProvider().construct("blue", "tradewind:index:LocalCluster", {}, {}), {
            message: `type must be one of ${all.join(", ")} (got tradewind:index:LocalCluster)`,
        });
    });
});
