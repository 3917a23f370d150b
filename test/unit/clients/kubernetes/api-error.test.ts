import assert from "node:assert/strict";
import { apiError, describeError, ifFound } from "../../../../clients/kubernetes/api-error";

describe("An error in a report", () => {
    it("is one line, however many the API sent", () => {
        const text = "[+]ping ok\n[-]shutdown failed: reason withheld\nreadyz check failed\n";
        assert.equal(
            describeError(apiError(500, text)),
            "500: [+]ping ok; [-]shutdown failed: reason withheld; readyz check failed",
        );
    });

    it("says what the Status object says", () => {
        assert.equal(describeError(apiError(409, '{"message":"modified","details":{}}')), "409: modified");
    });
});

describe("A call that may find nothing", () => {
    it("gives nothing then, and fails as any other for another reason", async () => {
        assert.equal(await ifFound(Promise.resolve("it")), "it");
        assert.equal(await ifFound(Promise.reject(apiError(404, "gone"))), undefined);
        await assert.rejects(ifFound(Promise.reject(apiError(403, "no"))), /403: no/);
    });
});
