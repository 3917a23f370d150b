import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { parse } from "yaml";
import { readAwsConfig } from "../../../stacks/aws";

describe("the region of a stack on AWS", () => {
    const file = join(__dirname, "../../../stacks/Pulumi.aws-small.yaml");
    const config = Object.fromEntries(
        Object.entries(parse(readFileSync(file, "utf8")).config).map(([key, value]) => [
            key,
            typeof value === "object" ? JSON.stringify(value) : String(value),
        ]),
    );
    const before = pulumi.runtime.allConfig();
    afterEach(() => pulumi.runtime.setAllConfig({ ...before }));

    it("has to be given, as Pulumi's own key", () => {
        const { "aws:region": _, ...others } = config;
        pulumi.runtime.setAllConfig(others);
        assert.throws(readAwsConfig, {
            message: "aws:region must be a region code, such as eu-central-1 (got nothing)",
        });
    });

    it("is read in addition to the stack's own keys", () => {
        pulumi.runtime.setAllConfig(config);
        const { region, domain } = readAwsConfig();
        assert.deepEqual([region, domain], [config["aws:region"], config["tradewind:domain"]]);
    });
});
