import assert from "node:assert/strict";
import { apiError, describeError, ifFound } from "../../../../clients/kubernetes/api-error";

describe("an error in a message", () => {
    it("is a single line, however many the API sent", () => {
        const text = "[+]ping ok\n[-]shutdown failed: reason withheld\nreadyz check failed\n";
        assert.equal(
            describeError(apiError(500, text)),
            "500: [+]ping ok; [-]shutdown failed: reason withheld; readyz check failed",
        );
    });

    it("contains the message of the Status object", () => {
        assert.equal(describeError(apiError(409, '{"message":"modified","details":{}}')), "409: modified");
    });
});

describe("a call for an object that may not exist", () => {
    it("returns undefined if it does not exist, and fails for any other reason", async () => {
        assert.equal(await ifFound(Promise.resolve("it")), "it");
        assert.equal(await ifFound(Promise.reject(apiError(404, "gone"))), undefined);
        await assert.rejects(ifFound(Promise.reject(apiError(403, "no"))), /403: no/);
    });
});
