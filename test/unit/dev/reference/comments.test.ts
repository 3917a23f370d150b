import assert from "node:assert/strict";
import { readComment } from "../../../../dev/reference/comments";

describe("comments of options", () => {
    for (const [tag, value] of [
        ['"5m"', "`5m`"],
        ["[1]", "`[1]`"],
        ["{}", "none"],
        ["false", "`false`"],
        ["- each image's own registry", "each image's own registry"],
        ["`count`", "`count`"],
    ] as const) {
        it(`contain the default ${tag} as ${value}`, () => {
            assert.equal(readComment(`What it is.\n * @default ${tag} @see docs/etcd.md`).default, value);
        });
    }

    it("are a single line, and name pages", () => {
        assert.deepEqual(
            readComment("\n * One line,\n * and another.\n * @see docs/etcd.md#space @see docs/aws.md\n "),
            {
                text: "One line, and another.",
                see: ["docs/etcd.md#space", "docs/aws.md"],
                checks: {},
            },
        );
    });

    it("contain what a type cannot say", () =>
        assert.deepEqual(readComment("Where it is. @minItems 1 @format sha256 @default none"), {
            text: "Where it is.",
            default: "none",
            see: [],
            checks: { format: "sha256", minItems: 1 },
        }));
});
