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
            [true, undefined, `set with ${holder}, got nothing`],
            [true, "", `set with ${holder}, got nothing`],
            [false, "secret", `omitted without ${holder}, got a token`],
            [true, "sec ret", "a token without spaces, got something else"],
        ] as const) {
            it(`must be, ${name}, ${error}`, () =>
                assert.throws(() => requireTokens({ ...none, [holder]: isNeeded }, { [name]: token }), {
                    message: `cloudTokens.${name} must be ${error}`,
                }));
        }
    }
});
