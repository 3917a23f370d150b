import assert from "node:assert/strict";
import { interfacesOf, readComment } from "../../../../dev/reference/configuration";

describe("comments of options", () => {
    it("are read from members and the interface itself, with the types they refer to", () => {
        const text = `
            /** What there is of fruit. */
            export interface Fruit extends Omit<Plant, "name">, Base {
                /** How many. @default 1 */
                count?: number;
                readonly seeds?: Partial<Seed>[];
            }`;
        assert.deepEqual(interfacesOf([text]), {
            Fruit: {
                comment: { text: "What there is of fruit.", see: [] },
                bases: ["Omit", "Plant", "Base"],
                members: {
                    count: { comment: { text: "How many.", default: "`1`", see: [] }, types: [] },
                    seeds: { comment: { text: "", see: [] }, types: ["Partial", "Seed"] },
                },
            },
        });
    });

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
            },
        );
    });
});
