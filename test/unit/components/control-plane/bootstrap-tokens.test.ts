import assert from "node:assert/strict";
import { execSync } from "node:child_process";
import {
    bootstrapToken,
    bootstrapTokenSecret,
    bootstrapTokenType,
    expirationCommand,
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
        const secret = bootstrapTokenSecret("worker", token, { expiration: "2030-01-02T00:00:00Z" });
        assert.equal(secret.type, bootstrapTokenType);
        golden(__dirname, "bootstrap-token", { metadata: secret.metadata, data: decoded(secret) });
    });

    it("has no end in a manifest: a manifest does not change with the clock", () => {
        assert.equal("expiration" in decoded(bootstrapTokenSecret("worker", token)), false);
    });

    it("ends a day after it became valid, in the form that Kubernetes reads", () => {
        const text = execSync(expirationCommand, { encoding: "utf8" }).trim();
        assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/);
        const hours = (Date.parse(text) - Date.now()) / 3_600_000;
        assert.ok(hours > 23.9 && hours <= 24, text);
    });
});
