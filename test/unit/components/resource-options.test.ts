import assert from "node:assert/strict";
import type * as pulumi from "@pulumi/pulumi";
import { requireEffect } from "../../../components/resource-options";
import { AwsCluster, DigitalOceanCluster, LocalCluster } from "../../../index";

const advice = "on the resources that you mean with transforms (docs/package.md#change-any-resource)";

describe("a resource option of a cluster that would reach none of its resources", () => {
    const refused: pulumi.CustomResourceOptions = {
        additionalSecretOutputs: ["apiUrl"],
        customTimeouts: { create: "1h" },
        deleteBeforeReplace: true,
        envVarMappings: { A: "B" },
        hideDiffs: ["nodes"],
        ignoreChanges: ["workerPools"],
        import: "id",
        replaceOnChanges: ["workerPools"],
        replaceWith: [{} as pulumi.Resource],
        replacementTrigger: 1,
    };
    for (const [option, value] of Object.entries(refused)) {
        it(`is refused: ${option}`, () => {
            assert.throws(() => requireEffect({ [option]: value }), {
                message: `${option} of a cluster reaches none of its resources: set it ${advice}`,
            });
        });
    }

    it("is refused together with the others", () => {
        assert.throws(() => requireEffect({ replaceOnChanges: ["a"], ignoreChanges: ["a"], protect: true }), {
            message: `ignoreChanges, replaceOnChanges of a cluster reach none of its resources: set them ${advice}`,
        });
    });

    it("is accepted if it says nothing, as from programs in other languages", () => {
        const timeouts = { create: "", update: "", delete: "", read: "" };
        requireEffect({ ignoreChanges: [], replaceOnChanges: [], customTimeouts: timeouts, replacementTrigger: null });
        requireEffect({ deleteBeforeReplace: false });
        requireEffect();
    });

    for (const Cluster of [AwsCluster, DigitalOceanCluster, LocalCluster]) {
        it(`is refused by ${Cluster.name}`, () => {
            // Before the arguments.
            assert.throws(() => new Cluster("c", {} as never, { ignoreChanges: ["workerPools"] } as never), {
                message: /^ignoreChanges of a cluster reaches none/,
            });
        });
    }
});

describe("a resource option of a cluster that has an effect", () => {
    const accepted: pulumi.ComponentResourceOptions = {
        aliases: [{ name: "b" }],
        deletedWith: {} as pulumi.Resource,
        dependsOn: [],
        hooks: { beforeCreate: [] },
        parent: {} as pulumi.Resource,
        pluginDownloadURL: "https://plugins.example",
        protect: true,
        provider: {} as pulumi.ProviderResource,
        providers: [],
        retainOnDelete: true,
        transformations: [() => undefined],
        transforms: [() => undefined],
        version: "1.0.0",
    };
    for (const [option, value] of Object.entries(accepted)) {
        it(`is accepted: ${option}`, () => requireEffect({ [option]: value }));
    }
});
