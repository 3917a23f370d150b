import assert from "node:assert/strict";
import { newKeyOf, newNameOf } from "../../../cluster/renamed-options";

describe("the present name of an option", () => {
    it("is known for each that was renamed, and for no other", () => {
        assert.equal(newNameOf("madeAnew"), "recreate");
        assert.equal(newNameOf("hasIpv6"), "ipv6");
        assert.equal(newNameOf("ipv6"), undefined);
        assert.equal(newNameOf("constructor"), undefined);
    });

    it("is that of a key of stacks too, which had other names", () => {
        assert.equal(newKeyOf("pools"), "workerPools");
        assert.equal(newKeyOf("hasIpv6"), "ipv6");
        assert.equal(newNameOf("pools"), undefined);
    });
});
