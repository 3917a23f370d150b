import assert from "node:assert/strict";
import { recordWarnings } from "../../record-warnings";
import { deployDigitalOcean as create } from "./deploy-digitalocean";

describe("a region's default VPC on DigitalOcean", function () {
    this.timeout(60_000);
    const warnings = recordWarnings();

    const options = { apiLoadBalancer: false };

    it("must be there before a cluster's own, which would become it and could not be deleted", async () => {
        for (const isPreview of [true, false]) {
            await assert.rejects(
                () => create({ ...options, region: "ams3" }, isPreview),
                /^Error: region must be one with a default VPC \(got ams3\): .*: doctl vpcs create --name default-ams3 --region ams3$/,
            );
        }
    });

    it("is looked up, without a message if it is another one", async () => {
        const { resources } = await create(options);
        assert.equal(resources.find(({ type }) => type.endsWith(":Vpc"))!.inputs.region, "fra1");
        assert.doesNotMatch(warnings.join("\n"), /default/);
    });

    it("is warned of when it is the cluster's own, with what to do before it is destroyed", async () => {
        await create({ ...options, region: "sgp1" });
        assert.match(
            warnings.join("\n"),
            /the cluster's VPC is the default of sgp1, .* doctl vpcs update ID --default=true/,
        );
    });

    it("does not block users who may not look it up", async () => {
        await create({ ...options, region: "blr1" });
        assert.match(warnings.join("\n"), /could not determine the default VPC of blr1: .*403 You are not authorized/);
    });
});
