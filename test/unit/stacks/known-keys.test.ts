import assert from "node:assert/strict";
import { z } from "zod";
import { type KeySchema, knownKeys, nearest } from "../../../stacks/check-config";
import { digitalOceanConfig } from "../../../stacks/config";

describe("the keys of a configuration", () => {
    const schema = z.toJSONSchema(digitalOceanConfig, { io: "input" }) as KeySchema;

    it("are known wherever they are", () => {
        assert.ok(knownKeys(schema, []).includes("vpcCidr"));
        assert.deepEqual(knownKeys(schema, ["downloads"]), [
            "kubelet",
            "otherKubelets",
            "cniPlugins",
            "otherCniPlugins",
            "containerRuntime",
            "otherContainerRuntimes",
            "registryMirror",
        ]);
        assert.ok(knownKeys(schema, ["pools", 3]).includes("size"));
        assert.ok(knownKeys(schema, ["controllers"]).includes("size"));
        assert.deepEqual(knownKeys(schema, ["nowhere", "at all"]), []);
    });

    it("are suggested for a typo, and not for something else", () => {
        const known = knownKeys(schema, []);
        assert.equal(nearest("regoin", known), "region");
        assert.equal(nearest("vpcCIDR", known), "vpcCidr");
        assert.equal(nearest("sshKey", known), "sshKeys");
        assert.equal(nearest("flavour", known), undefined);
    });
});
