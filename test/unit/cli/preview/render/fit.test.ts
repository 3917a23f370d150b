import assert from "node:assert/strict";
import { fitted, type Section, shares } from "../../../../../cli/preview/render/fit";

const section = (stack: string, ...sizes: number[]): Section => ({
    stack,
    head: [`## ${stack}`, "", "What it means."],
    folds: sizes.map((size, index) => ({
        title: `fold ${index}`,
        language: "diff",
        lines: Array.from({ length: size / 10 }, (_, line) => `+ ${String(line).padStart(7)}`),
    })),
});

describe("a comment that has to fit", () => {
    it("is complete if there is enough space", () => {
        const text = fitted(["mark"], [section("a", 500), section("b", 1000)], 10_000, "there");
        assert.doesNotMatch(text, /more lines/);
        assert.equal(text.match(/^\+ /gm)?.length, 150);
        assert.ok(text.startsWith("mark\n## a\n"));
    });

    it("is cut at line ends in large folds only, with a note, and closes every block", () => {
        const text = fitted(["mark"], [section("a", 1000), section("b", 100_000, 50_000)], 20_000, "in the log");
        assert.ok(text.length <= 20_000, `${text.length} characters`);
        assert.ok(text.length > 17_000, `${text.length} characters`);
        assert.equal(text.match(/… and \d+ more lines: see the rest in the log\./g)?.length, 2);
        assert.equal(text.match(/<details>/g)?.length, text.match(/<\/details>/g)?.length);
        assert.equal(text.match(/^```/gm)!.length % 2, 0);
        assert.match(text.slice(0, text.indexOf("## b")), /\+ {6}99\n/);
    });

    it("only names stacks that do not fit at all", () => {
        const many = Array.from({ length: 100 }, (_, index) => section(`stack-${index}`, 100));
        const text = fitted(["mark"], many, 6000, "in the log");
        assert.ok(text.length <= 6000, `${text.length} characters`);
        assert.match(text, /`stack-\d+`\n\nIt does not fit here: see it in the log\./);
    });

    it("never contains a fence that ends early", () => {
        const lines = ["+ ```", "+ </details>"];
        const text = fitted([], [{ stack: "a", head: [], folds: [{ title: "t", language: "diff", lines }] }], 5000, "");
        assert.match(text, /^````diff\n\+ ```\n\+ <\/details>\n````$/m);
    });
});

describe("the space that folds share", () => {
    it("goes to small ones first, and is divided equally among the rest", () => {
        assert.deepEqual(shares([500, 10, 500], 210), [100, 10, 100]);
        assert.deepEqual(shares([5, 10], 100), [5, 10]);
        assert.deepEqual(shares([5, 10], -1), [0, 0]);
        assert.deepEqual(shares([], 10), []);
    });
});
