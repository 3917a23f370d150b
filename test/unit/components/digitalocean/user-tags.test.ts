import assert from "node:assert/strict";
import { requireTags } from "../../../../components/digitalocean/user-tags";

describe("tags of a cluster on DigitalOcean", () => {
    it("are as configured", () => {
        const tags = ["infra", "stage:prod", "c-node", "C_2"];
        assert.deepEqual(requireTags(tags, "c"), tags);
        assert.deepEqual(requireTags([], "c"), []);
    });

    const refused: [string, string[], RegExp][] = [
        ["no tag", ["infra", "a b"], /^tags\[1\] must be 1 to 255 letters, digits, colons, dashes .* \(got a b\)$/],
        ["nothing", [""], /^tags\[0\] must be 1 to 255 letters/],
        ["the same one twice", ["infra", "Infra"], /^tags\[1\] must not be listed twice \(got Infra\)$/],
        [
            "that of its nodes",
            ["c"],
            /^tags\[0\] must not be one of c, c-controller, c:worker, c-ingress, which open firewalls \(got c\)$/,
        ],
        ["that of its controllers", ["C-Controller"], /^tags\[0\] must not be one of .* \(got C-Controller\)$/],
        ["that of its workers of ingress", ["c-ingress"], /^tags\[0\] must not be one of .* \(got c-ingress\)$/],
    ];
    for (const [what, tags, message] of refused) {
        it(`are refused with ${what}`, () => assert.throws(() => requireTags(tags, "c"), { message }));
    }
});
