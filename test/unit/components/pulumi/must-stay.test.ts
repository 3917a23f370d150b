import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { mustStay } from "../../../../components/pulumi/errors";
import { resolved } from "../../deploy";

describe("an option that is fixed at creation", () => {
    it("may be the same", async () => {
        assert.equal(await resolved(mustStay("apiAccess", "public", pulumi.output("public"))), "public");
    });

    it("is refused otherwise, with a message for its user only", async () => {
        await assert.rejects(resolved(mustStay("apiAccess", "internal", pulumi.output("public"))), (error: Error) => {
            assert.ok(pulumi.RunError.isInstance(error));
            assert.equal(error.message, "apiAccess cannot be changed after creation (is public, got internal)");
            assert.equal(error.stack, error.message);
            return true;
        });
    });
});
