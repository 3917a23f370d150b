import assert from "node:assert/strict";
import { annotatedKeys, firstKeys, keysAnnotations, resolveKeys } from "../../../../cluster/keys/lists";

describe("the keys of a cluster", () => {
    it("encrypt Secrets unless its options say otherwise", () => {
        const keys = resolveKeys({ serviceAccount: undefined });
        assert.deepEqual(keys, { ...firstKeys, encryption: [1] });
        assert.deepEqual(annotatedKeys(keysAnnotations(keys)), keys);
        assert.deepEqual(resolveKeys({ encryption: ["plain"] }), firstKeys);
    });

    it("are in an annotation if they differ from the initial ones", () => {
        assert.equal(keysAnnotations(firstKeys), undefined);
        const others = resolveKeys({ encryption: [2, 1, "plain"] });
        const annotations = keysAnnotations(others)!;
        assert.deepEqual(annotations, { "tradewind.dev/keys": '{"encryption":[2,1,"plain"]}' });
        assert.deepEqual(annotatedKeys(annotations), others);
        assert.deepEqual(annotatedKeys(), firstKeys);
    });

    const refused: [string, object, string][] = [
        [
            "none",
            { serviceAccount: [] },
            "keys.serviceAccount must be a list of one or more distinct generations (got [])",
        ],
        [
            "the same twice",
            { encryption: [1, 1] },
            "keys.encryption must be a list of one or more distinct generations (got [1,1])",
        ],
        ["the zeroth", { serviceAccount: [0] }, "keys.serviceAccount[0] must be a whole number, 1 or more (got 0)"],
        [
            "plain tokens",
            { serviceAccount: [1, "plain"] },
            "keys.serviceAccount[1] must be a whole number, 1 or more (got plain)",
        ],
        [
            "another word",
            { encryption: ["none"] },
            "keys.encryption[0] must be a whole number, 1 or more, or plain (got none)",
        ],
    ];
    for (const [what, options, message] of refused) {
        it(`are refused as ${what}`, () => {
            assert.throws(() => resolveKeys(options), { message });
        });
    }
});
