import assert from "node:assert/strict";
import fc from "fast-check";
import type { Shape } from "../../../../cli/picture/shapes";
import { renderSvg } from "../../../../cli/picture/svg";
import { layOut } from "../../../../cli/timeline/layout";
import { apart } from "../../../../cli/timeline/rows";
import { waterfallOf } from "../../../../cli/timeline/waterfall";
import { misplaced } from "../picture/geometry";
import { elementsOf } from "../picture/xml";
import { anyRequests, at, boot, requests, runs } from "./sample";

const allIn = (shapes: readonly Shape[]): Shape[] =>
    shapes.flatMap((shape) => (shape.kind === "box" ? [shape, ...allIn(shape.children)] : [shape]));

describe("the picture of a timeline", () => {
    it("places everything without overlaps, for any run", () => {
        fc.assert(
            fc.property(
                fc.array(runs, { minLength: 1, maxLength: 2 }),
                fc.option(anyRequests, { nil: undefined }),
                (all, tallies) => {
                    const picture = layOut(
                        "c",
                        all.map((run) => waterfallOf(run, "c")),
                        tallies,
                    );
                    assert.deepEqual(misplaced(picture), []);
                    elementsOf(renderSvg(picture));
                },
            ),
            { numRuns: 60 },
        );
    });

    it("has bars proportional to durations", () => {
        const shapes = allIn(layOut("c", [waterfallOf(boot(), "c")]).shapes);
        const bar = (name: string) =>
            shapes.find((shape) => shape.kind === "box" && shape.hint?.startsWith(name)) as {
                x: number;
                width: number;
            };
        const [up, machine] = [bar("pulumi up"), bar("machine created")];
        assert.ok(Math.abs(up.width / machine.width - 40 / 3) < 0.01);
        assert.ok(Math.abs((machine.x - up.x) / machine.width - 1.9 / 3) < 0.01);
    });

    it("shows requests below the run during which they were made, with marks for failures", () => {
        const run = waterfallOf(boot(), "c");
        const marks = (tallies = requests()) =>
            allIn(layOut("c", [run], tallies).shapes).filter(({ kind }) => kind === "mark").length;
        assert.equal(marks(), 2);
        assert.equal(marks(requests({ from: at(100), to: at(200) })), 0);
        const texts = elementsOf(renderSvg(layOut("c", [run], requests()))).map(({ text }) => text);
        assert.ok(texts.includes("900 requests, 3 failed, gap 40 ms"));
    });

    it("has a text description", () => {
        const { description } = layOut("c", [waterfallOf(boot(), "c")], requests());
        assert.match(description, /^Boot at 2026-11-22T09:00:00.000Z: 50.1 s, 6 created\.$/m);
        assert.match(description, /^c-default-0: machine created 3.5 s; from joining to Ready 11.0 s\.$/m);
        assert.match(description, /^Requests of watch: 900, 3 failed\.$/m);
    });
});

describe("marks of failures", () => {
    it("are merged if they are too close, and stay within the probed time", () => {
        assert.deepEqual(apart([5, 50, 51, 61, 70, 500], 10, 100), [10, 50, 70, 100]);
        assert.deepEqual(apart([], 10, 100), []);
    });
});
