import assert from "node:assert/strict";
import { z } from "zod";
import { configErrors, type KeySchema } from "../../../stacks/check-config";
import { awsConfig, digitalOceanConfig } from "../../../stacks/config";

/** Errors of a cloud's configuration with only these images. */
function errorsOf(schema: z.ZodObject, cloudImages: object): string[] {
    const { issues } = schema.shape.cloudImages!.safeParse(cloudImages).error ?? { issues: [] };
    const keys = z.toJSONSchema(schema, { io: "input" }) as KeySchema;
    const placed = issues.map((issue: z.core.$ZodIssue) => ({ ...issue, path: ["cloudImages", ...issue.path] }));
    return configErrors(placed, { cloudImages }, keys);
}

describe("a cloud's configuration", () => {
    it("names images of the cloud's own controllers", () =>
        assert.deepEqual(errorsOf(awsConfig, { awsCloudController: "registry.example/a:v1" }), []));

    it("refuses images of another cloud, and suggests a similar key for a misspelled one", () => {
        assert.deepEqual(errorsOf(digitalOceanConfig, { awsCsiDrivers: "registry.example/a:v1" }), [
            "tradewind:cloudImages.awsCsiDrivers must be a known key (one of digitalOceanCloudController, digitalOceanCsiDriver, csiProvisioner, csiAttacher, csiResizer, csiNodeDriverRegistrar, csiLivenessProbe), got awsCsiDrivers",
        ]);
        assert.deepEqual(errorsOf(awsConfig, { awsCloudControler: "registry.example/a:v1" }), [
            "tradewind:cloudImages.awsCloudControler must be a known key (did you mean awsCloudController?), got awsCloudControler",
        ]);
    });

    it("refers to the reference if there are too many keys to list", () => {
        const { issues } = awsConfig.safeParse({ extraArgs: {} }).error!;
        const unknown = issues.filter(({ code }) => code === "unrecognized_keys");
        const keys = z.toJSONSchema(awsConfig, { io: "input" }) as KeySchema;
        assert.deepEqual(configErrors(unknown, { extraArgs: {} }, keys), [
            "tradewind:extraArgs must be a known key (docs/reference.md has all), got extraArgs",
        ]);
    });
});
