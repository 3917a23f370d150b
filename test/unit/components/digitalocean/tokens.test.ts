import assert from "node:assert/strict";
import { requireTokens } from "../../../../components/digitalocean/in-cluster";

const none = { cloudController: false, csiDriver: false };

describe("tokens of what runs in a cluster on DigitalOcean", () => {
    it("are those that are needed", () => {
        assert.deepEqual(requireTokens(none), {});
        const tokens = { cloudController: "dop_v1_abc", csiDriver: "dop_v1_def" };
        assert.deepEqual(requireTokens({ cloudController: true, csiDriver: true }, tokens), tokens);
    });

    for (const [name, holder] of [
        ["cloudController", "cloudController"],
        ["csiDriver", "csiDriver"],
    ] as const) {
        for (const [isNeeded, token, error] of [
            [true, undefined, `${holder} requires cloudTokens.${name}`],
            [true, "", `${holder} requires cloudTokens.${name}`],
            [false, "secret", `cloudTokens.${name} requires ${holder}`],
            [true, "sec ret", `cloudTokens.${name} must be a token without spaces (got something else)`],
        ] as const) {
            it(`must fit: ${error}, for ${JSON.stringify(token)}`, () =>
                assert.throws(() => requireTokens({ ...none, [holder]: isNeeded }, { [name]: token }), {
                    message: error,
                }));
        }
    }
});
