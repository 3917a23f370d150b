import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const text = readFileSync(resolve(__dirname, "../../../docs/origins.md"), "utf8");

describe("the page about the founding documents", () => {
    it("counts its rows correctly", () => {
        const states = [...text.matchAll(/^\| [^|]+\| (yes|partly|no|not in our hands) +\|/gm)].map(
            ([, state]) => state,
        );
        const count = (state: string) => states.filter((each) => each === state).length;
        const [sentence = ""] = /They name or promise[^:]+ are not in our hands/.exec(text.replaceAll("\n", " ")) ?? [];
        assert.deepEqual(sentence.match(/\d+/g)?.map(Number), [
            states.length,
            ...["yes", "partly", "no", "not in our hands"].map(count),
        ]);
    });
});
