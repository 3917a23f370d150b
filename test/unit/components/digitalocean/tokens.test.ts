import assert from "node:assert/strict";
import { requireTokens } from "../../../../components/digitalocean/in-cluster";

const none = { cloudController: false, csiDriver: false, repair: false };

describe("tokens of what runs in a cluster on DigitalOcean", () => {
    it("are those that are needed", () => {
        assert.deepEqual(requireTokens(none), {});
        const tokens = { cloudController: "dop_v1_abc", csiDriver: "dop_v1_def", repair: "dop_v1_123" };
        assert.deepEqual(requireTokens({ cloudController: true, csiDriver: true, repair: true }, tokens), tokens);
    });

    for (const holder of ["cloudController", "csiDriver", "repair"] as const) {
        for (const [isNeeded, token, error] of [
            [true, undefined, `${holder} requires cloudTokens.${holder}`],
            [true, "", `${holder} requires cloudTokens.${holder}`],
            [false, "secret", `cloudTokens.${holder} requires ${holder}`],
            [true, "sec ret", `cloudTokens.${holder} must be a token without spaces (got something else)`],
        ] as const) {
            it(`must fit: ${error}, for ${JSON.stringify(token)}`, () =>
                assert.throws(() => requireTokens({ ...none, [holder]: isNeeded }, { [holder]: token }), {
                    message: error,
                }));
        }
    }
});
