import assert from "node:assert/strict";
import fc from "fast-check";
import { box, label, mark, type Picture } from "../../../../cli/picture/shapes";
import { renderSvg } from "../../../../cli/picture/svg";
import { elementsOf } from "./xml";

const picture = (change: Partial<Picture> = {}): Picture => ({
    width: 100,
    height: 50,
    title: "a title",
    description: "what it shows",
    shapes: [],
    ...change,
});

describe("a picture as SVG", () => {
    it("is XML with a title and a description for accessibility", () => {
        const [svg, title, description] = elementsOf(renderSvg(picture()));
        assert.equal(svg!.attributes.viewBox, "0 0 100 50");
        assert.equal(svg!.attributes.role, "img");
        assert.deepEqual(
            svg!.attributes["aria-labelledby"]!.split(" "),
            [title!, description!].map(({ attributes }) => attributes.id),
        );
        assert.deepEqual([title!.text, description!.text], ["a title", "what it shows"]);
    });

    it("escapes text", () => {
        const nasty = `</text><script>alert("1")</script> & ]]> <!--`;
        const shapes = [
            box("card", { x: 0, y: 0, width: 9, height: 9 }, { hint: nasty, children: [label(nasty, 1, 1, 9)] }),
        ];
        const elements = elementsOf(renderSvg(picture({ title: nasty, description: nasty, shapes })));
        assert.equal(elements.filter(({ text }) => text === nasty).length, 4);
        assert.ok(elements.every(({ name }) => name !== "script"));
    });

    it("is well-formed for any text", () => {
        fc.assert(
            fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
                elementsOf(renderSvg(picture({ title: text, shapes: [label(text, 1, 1, 9)] })));
            }),
            { numRuns: 500 },
        );
        const unwritable = elementsOf(renderSvg(picture({ title: "a\u0000b\uD800c" })))[1]!.text;
        assert.equal(unwritable, "a\uFFFDb\uFFFDc");
    });

    it("has a different shape for each meaning, in addition to the color", () => {
        const forms = (["good", "warning", "bad", "unknown"] as const).map((meaning) => {
            const all = elementsOf(renderSvg(picture({ shapes: [mark(meaning, 10, 10)] })));
            return all.filter(({ name }) => name === "path").map(({ attributes }) => attributes.d);
        });
        assert.equal(new Set(forms.map(([, sign]) => sign)).size, 4);
        assert.match(forms[2]!.join(), /^M3\.7 3\.7L16\.3 3\.7/);
    });

    it("has no external resources or scripts, and supports light and dark mode", () => {
        const svg = renderSvg(picture({ shapes: [mark("good", 10, 10)] }));
        assert.doesNotMatch(
            svg.replace('xmlns="http://www.w3.org/2000/svg"', ""),
            /https?:|url\(|@import|<script|<image|href/,
        );
        assert.match(svg, /@media \(prefers-color-scheme:dark\)/);
    });
});
