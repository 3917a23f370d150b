import assert from "node:assert/strict";
import {
    bootstrapToken,
    bootstrapTokenSecret,
    bootstrapTokenType,
    expirationTime,
} from "../../../../components/control-plane/bootstrap-tokens";
import { golden } from "../../golden";
import { decoded } from "../fixture";

const token = "abcdef.0123456789abcdef";

describe("a bootstrap token", () => {
    it("has the form that Kubernetes asks for, and the same key gives the same one", () => {
        assert.match(bootstrapToken("key"), /^[a-z0-9]{6}\.[a-z0-9]{16}$/);
        assert.equal(bootstrapToken("key"), bootstrapToken("key"));
        assert.notEqual(bootstrapToken("key"), bootstrapToken("other key"));
    });

    it("is valid by a Secret as reviewed", () => {
        const secret = bootstrapTokenSecret("worker", token, "2030-01-02T00:00:00Z");
        assert.equal(secret.type, bootstrapTokenType);
        golden(__dirname, "bootstrap-token", { metadata: secret.metadata, data: decoded(secret) });
    });

    it("has no end in a manifest: a manifest does not change with the clock", () => {
        assert.equal("expiration" in decoded(bootstrapTokenSecret("worker", token)), false);
    });

    it("ends a day after it became valid, in the form that Kubernetes reads", () => {
        assert.equal(expirationTime(new Date("2030-01-01T12:34:56.789Z")), "2030-01-02T12:34:56Z");
    });
});
