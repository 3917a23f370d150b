import assert from "node:assert/strict";
import { nearest } from "../../../cluster/check-shape";
import { DigitalOceanKeys } from "../../../stacks/schema.json";

describe("the keys of a configuration", () => {
    it("are suggested for a typo, and not for something else", () => {
        const known = Object.keys(DigitalOceanKeys.properties);
        assert.equal(nearest("regoin", known), "region");
        assert.equal(nearest("vpcCIDR", known), "vpcCidr");
        assert.equal(nearest("sshKey", known), "sshKeys");
        assert.equal(nearest("flavour", known), undefined);
    });
});
