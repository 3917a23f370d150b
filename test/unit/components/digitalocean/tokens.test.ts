import assert from "node:assert/strict";
import { requireTokens } from "../../../../components/digitalocean/tokens";

describe("tokens of what runs in a cluster on DigitalOcean", () => {
    it("are those that are needed", () => {
        assert.deepEqual(requireTokens({ hasCloudController: false }), {});
        const tokens = { cloudController: "dop_v1_abc" };
        assert.deepEqual(requireTokens({ hasCloudController: true }, tokens), tokens);
    });

    for (const [hasCloudController, cloudController, error] of [
        [true, undefined, "given with hasCloudController, got nothing"],
        [true, "", "given with hasCloudController, got nothing"],
        [false, "secret", "left out without hasCloudController, got one"],
        [true, "sec ret", "a token without spaces, got another text"],
    ] as const) {
        it(`must be ${error}`, () =>
            assert.throws(() => requireTokens({ hasCloudController }, { cloudController }), {
                message: `cloudTokens.cloudController must be ${error}`,
            }));
    }
});
