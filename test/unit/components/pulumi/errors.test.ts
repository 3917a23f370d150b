import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { lookUp } from "../../../../components/pulumi/errors";
import { resolved } from "../../deploy";

describe("a cloud's answer about an option", () => {
    it("is what it answers", async () => {
        assert.deepEqual(await resolved(lookUp(Promise.resolve({ id: "x" }), "image", "there", "x")), { id: "x" });
    });

    it("is a user's error when it answers with one", async () => {
        const output = lookUp(Promise.reject(new Error("no results")), "image", "there", "flatcar-beta");
        await assert.rejects(resolved(output), (error: Error) => {
            assert.ok(pulumi.RunError.isInstance(error));
            assert.equal(error.message, "image must be there (got flatcar-beta): no results");
            return true;
        });
    });

    it("does not blame an option when the engine has ended the run", async () => {
        const answer = Promise.reject(new Error("getVpc returned an error: grpc: the client connection is closing"));
        await assert.rejects(resolved(lookUp(answer, "vpcId", "there", "vpc-1")), {
            message: "vpcId was not looked up, because the run ended after another error",
        });
    });
});
