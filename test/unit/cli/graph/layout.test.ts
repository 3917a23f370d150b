import assert from "node:assert/strict";
import fc from "fast-check";
import { layOut } from "../../../../cli/graph/layout";
import { topologyOf } from "../../../../cli/graph/topology-of";
import type { Box, Shape } from "../../../../cli/picture/shapes";
import { renderSvg } from "../../../../cli/picture/svg";
import { type ClusterFacts, known } from "../../../../cli/status/facts";
import { judge } from "../../../../cli/status/judge";
import { misplaced } from "../picture/geometry";
import { elementsOf } from "../picture/xml";
import { healthy, node } from "../status/sample";
import { stack, topologies } from "./sample";

const pictureOf = (facts: ClusterFacts) => layOut(topologyOf(facts, judge(facts), known(stack())));
const boxesIn = (shapes: readonly Shape[]): Box[] =>
    shapes.flatMap((shape) => (shape.kind === "box" ? [shape, ...boxesIn(shape.children)] : []));

describe("the picture of a topology", () => {
    it("places everything without overlaps, for any topology", () => {
        fc.assert(
            fc.property(topologies, (topology) => {
                const picture = layOut(topology);
                assert.deepEqual(misplaced(picture), []);
                elementsOf(renderSvg(picture));
            }),
            { numRuns: 60 },
        );
    });

    it("places three controllers and three or four workers per row", () => {
        for (const [controllers, workers] of [
            [1, 0],
            [1, 1],
            [3, 5],
            [5, 50],
        ] as const) {
            const facts = healthy({}, controllers);
            const masters = Array.from({ length: controllers }, (_, index) => node(`c-${index}`));
            const nodes = Array.from({ length: workers }, (_, index) => node(`w-${index}`, { pool: "default" }));
            const picture = pictureOf({ ...facts, nodes: known([...masters, ...nodes]) });
            const cards = boxesIn(picture.shapes).filter(({ style }) => style === "card");
            const rows = (from: number, to: number) => new Set(cards.slice(from, to).map(({ y }) => y)).size;
            assert.equal(rows(0, controllers), Math.ceil(controllers / 3));
            // The stack has a worker that is not in the API.
            assert.equal(cards.length, controllers + Math.max(1, workers));
            assert.ok(rows(controllers, cards.length) <= Math.ceil(Math.max(1, workers) / 3));
            assert.deepEqual(misplaced(picture), []);
        }
    });

    it("is deterministic", () => {
        assert.equal(renderSvg(pictureOf(healthy())), renderSvg(pictureOf(healthy())));
    });

    it("has a text description, which is complete even where the picture truncates text", () => {
        const name = `c-${"long".repeat(20)}`;
        const facts = healthy({ nodes: known([node("c-0"), node(name, { isController: true })]) });
        const { description, shapes } = pictureOf(facts);
        assert.match(description, new RegExp(`Controller ${name}, Ready`));
        assert.match(description, /kube-scheduler ready · leads · 1.36.3, from the API/);
        assert.ok(boxesIn(shapes).some(({ hint }) => hint?.startsWith(name)));
    });
});
