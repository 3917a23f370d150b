import assert from "node:assert/strict";
import { ComponentProvider } from "../../../plugin/provider";

describe("the plugin", () => {
    it("describes each component in the version of the package", () => {
        const { name, version, resources } = JSON.parse(new ComponentProvider().schema);
        assert.deepEqual([name, version], ["tradewind", require("../../../package.json").version]);
        assert.deepEqual(Object.keys(resources), ["tradewind:index:AwsCluster", "tradewind:index:DigitalOceanCluster"]);
    });

    it("makes no other", async () => {
        await assert.rejects(new ComponentProvider().construct("blue", "tradewind:index:LocalCluster", {}, {}), {
            message:
                "type must be one of tradewind:index:AwsCluster, tradewind:index:DigitalOceanCluster " +
                "(got tradewind:index:LocalCluster)",
        });
    });
});
