import assert from "node:assert/strict";
import { filmOf } from "../../../../dev/recording/film";
import { elementsOf } from "../../cli/picture/xml";

describe("the recording of a terminal", () => {
    const lines = [
        { at: 0, text: "$ npm start", isTyped: true },
        { at: 0.2, text: "a & b < c" },
        { at: 100, text: "x".repeat(150) },
    ];
    const svg = filmOf({ title: "It starts", description: "A terminal", lines });

    it("is well-formed, runs nothing, and has every line", () => {
        const names = elementsOf(svg).map(({ name }) => name);
        assert.ok(!names.includes("script") && !svg.includes("href"));
        assert.equal(names.filter((name) => name === "text").length, 4);
        assert.match(svg, /class="typed" y="\d+">\$ npm start</);
        assert.match(svg, />a &amp; b &lt; c</);
        assert.match(svg, />x{100}</);
        assert.match(svg, />x{50}</);
    });

    it("shows each line at its time, but cuts waiting short", () => {
        assert.match(svg, /animation:film 6\.3s step-end infinite/);
        const frames = [...svg.matchAll(/([\d.]+)%\{transform:translateY\((-?\d+)px\)\}/g)].map(([, at, y]) => [
            Number(at),
            Number(y),
        ]);
        assert.deepEqual(
            frames.map(([, y]) => y),
            [396, 378, 360, 342, 324, 324].slice(0, frames.length),
        );
        assert.deepEqual(
            frames.map(([at]) => at),
            [0, 0, 3.2, 19.2, 20, 100],
        );
    });

    it("shows the end to those who want no motion", () => {
        assert.match(svg, /\.film\{transform:translateY\(324px\)\}\n@media \(prefers-reduced-motion:no-preference\)/);
    });
});
