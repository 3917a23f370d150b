import assert from "node:assert/strict";
import { newNameOf, requireNewNames } from "../../../cluster/renamed-options";

describe("renamed options", () => {
    it("are refused with their new name, at any depth", () => {
        assert.throws(() => requireNewNames({ hasIpv6: true }), { message: "hasIpv6 is now ipv6" });
        assert.throws(() => requireNewNames({ etcdSnapshots: { s3: { isByInstanceRole: true } } }), {
            message: "etcdSnapshots.s3.isByInstanceRole is now etcdSnapshots.s3.instanceRole",
        });
    });

    it("are accepted by their new names", () => {
        requireNewNames({ ipv6: true, controllers: { schedulable: false }, pools: [{ name: "default" }] });
        assert.equal(newNameOf("madeAnew"), "recreate");
        assert.equal(newNameOf("constructor"), undefined);
    });
});
