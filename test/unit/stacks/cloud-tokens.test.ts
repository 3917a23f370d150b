import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { cloudTokens } from "../../../stacks/digitalocean";

const asked = { cloudController: true, csiDriver: false, repair: false };

describe("tokens of a stack's configuration", () => {
    it("are secrets, whether they were set as such or not", async () => {
        const { cloudTokens: tokens } = cloudTokens(asked, { cloudController: "abc" });
        const output = pulumi.output(tokens) as pulumi.Output<unknown> & { isSecret: Promise<boolean> };
        assert.equal(await output.isSecret, true);
    });

    it("are missed in preview, by their key", () => {
        assert.throws(() => cloudTokens(asked), {
            message: "cloudController requires cloudTokens.cloudController",
        });
    });
});
