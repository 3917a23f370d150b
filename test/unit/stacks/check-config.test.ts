import assert from "node:assert/strict";
import { z } from "zod";
import { configErrors, type KeySchema } from "../../../stacks/check-config";

const schema = z.strictObject({
    controllers: z.union([z.int(), z.strictObject({ count: z.int() })]),
    pools: z.array(z.strictObject({ name: z.string() })),
});

describe("configErrors", () => {
    const keys = z.toJSONSchema(schema, { io: "input" }) as KeySchema;
    const errors = (value: unknown) => configErrors(schema.safeParse(value).error?.issues ?? [], value, keys);

    for (const [what, value, message] of [
        [
            "an unknown key",
            { controllers: 1, pools: [], colour: "red" },
            "tradewind:colour must be a known key (one of controllers, pools), got colour",
        ],
        [
            "an unknown key inside",
            { controllers: 1, pools: [{ name: "a", size: 1 }] },
            "tradewind:pools[0].size must be a known key (one of name), got size",
        ],
        [
            "an unknown key and the known one that is like it",
            { controllers: 1, pools: [{ name: "a" }], pool: [] },
            "tradewind:pool must be a known key (did you mean pools?), got pool",
        ],
        [
            "a wrong type inside",
            { controllers: 1, pools: [{ name: 5 }] },
            "tradewind:pools[0].name must be of type string, got 5",
        ],
        [
            "a missing key",
            { controllers: 1, pools: [{}] },
            "tradewind:pools[0].name must be of type string, got nothing",
        ],
        [
            "neither of two types",
            { controllers: "x", pools: [] },
            'tradewind:controllers must be of type number or of type object, got "x"',
        ],
    ] as const) {
        it(`names ${what}`, () => {
            assert.deepEqual(errors(value), [message]);
        });
    }

    it("shows nothing of what is secret", () => {
        const value = { controllers: 1, pools: [{ name: 5 }, {}] };
        const { issues } = schema.safeParse(value).error!;
        assert.deepEqual(
            configErrors(issues, value, keys, (key) => key === "pools"),
            [
                "tradewind:pools[0].name must be of type string, got [secret]",
                "tradewind:pools[1].name must be of type string, got nothing",
            ],
        );
    });
});
