import assert from "node:assert/strict";
import type { Schema } from "../../../cluster/check-shape";
import { checkConfig } from "../../../stacks/check-config";
import { AwsKeys, DigitalOceanKeys } from "../../../stacks/schema.json";

/** Errors of a configuration, except for missing keys. */
function errorsOf(schema: object, config: object): string[] {
    return checkConfig(schema as Schema, config).errors.filter((error) => !error.endsWith("(got nothing)"));
}

describe("a cloud's configuration", () => {
    it("names images of the cloud's own controllers", () =>
        assert.deepEqual(errorsOf(AwsKeys, { cloudImages: { awsCloudController: "registry.example/a:v1" } }), []));

    it("refuses images of another cloud, and suggests a similar key for a misspelled one", () => {
        assert.deepEqual(errorsOf(DigitalOceanKeys, { cloudImages: { awsCsiDrivers: "registry.example/a:v1" } }), [
            "tradewind:cloudImages.awsCsiDrivers must be a known key (got awsCsiDrivers): docs/reference.md has all",
        ]);
        assert.deepEqual(errorsOf(AwsKeys, { cloudImages: { awsCloudControler: "registry.example/a:v1" } }), [
            "tradewind:cloudImages.awsCloudControler must be a known key (got awsCloudControler): did you mean awsCloudController?",
        ]);
    });

    it("refers to the reference if there are too many keys to list", () => {
        assert.deepEqual(errorsOf(AwsKeys, { extraArgs: {} }), [
            "tradewind:extraArgs must be a known key (got extraArgs): docs/reference.md has all",
        ]);
    });

    it("has the ids of images and keys as text, also if Pulumi stores them as numbers", () => {
        const { value } = checkConfig(DigitalOceanKeys as Schema, { image: 170000001, sshKeys: [42, "a:b"] });
        assert.deepEqual(value, { ...(value as object), image: "170000001", sshKeys: ["42", "a:b"] });
    });
});
