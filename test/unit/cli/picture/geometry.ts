import type { Picture, Rectangle, Shape } from "../../../../cli/picture/shapes";
import { widthOf } from "../../../../cli/picture/text-width";

/** Layout problems of a picture; there should be none. */
export function misplaced({ width, height, shapes }: Picture): string[] {
    return problemsIn(shapes, { x: 0, y: 0, width, height }, { x: 0, y: 0, width, height });
}

/** Boxes, texts and marks are inside their parents and do not overlap; lines connect boxes. */
function problemsIn(shapes: readonly Shape[], parent: Rectangle, view: Rectangle): string[] {
    const placed = shapes.flatMap((shape) => extentsOf(shape).map((extent) => ({ shape, extent })));
    const solid = placed.filter(({ shape }) => shape.kind !== "line");
    return [
        ...placed
            .filter(({ shape, extent }) => !isInside(extent, shape.kind === "line" ? view : parent))
            .map(({ shape }) => `outside: ${nameOf(shape)}`),
        ...solid.flatMap(({ shape, extent }, index) =>
            solid
                .slice(index + 1)
                .filter((other) => overlap(extent, other.extent))
                .map((other) => `${nameOf(shape)} is over ${nameOf(other.shape)}`),
        ),
        ...shapes.flatMap((shape) => (shape.kind === "box" ? problemsIn(shape.children, shape, view) : [])),
    ];
}

function extentsOf(shape: Shape): Rectangle[] {
    switch (shape.kind) {
        case "box":
            return [shape];
        case "mark": {
            const { x, y, size } = shape;
            return [{ x: x - size / 2, y: y - size / 2, width: size, height: size }];
        }
        case "label": {
            const width = widthOf(shape.text, shape.size, shape.isBold);
            const before = { start: 0, middle: width / 2, end: width }[shape.anchor ?? "start"];
            return [{ x: shape.x - before, y: shape.y - 0.76 * shape.size, width, height: shape.size }];
        }
        case "line":
            return shape.points.map(([x, y]) => ({ x, y, width: 0, height: 0 }));
    }
}

/** Tolerates a hundredth of a pixel. */
const little = 0.01;

function isInside(inner: Rectangle, outer: Rectangle): boolean {
    return (
        inner.x >= outer.x - little &&
        inner.y >= outer.y - little &&
        inner.x + inner.width <= outer.x + outer.width + little &&
        inner.y + inner.height <= outer.y + outer.height + little
    );
}

function overlap(a: Rectangle, b: Rectangle): boolean {
    return (
        a.x + a.width > b.x + little &&
        b.x + b.width > a.x + little &&
        a.y + a.height > b.y + little &&
        b.y + b.height > a.y + little
    );
}

function nameOf(shape: Shape): string {
    const where = shape.kind === "line" ? shape.points.join(" ") : `${shape.x},${shape.y}`;
    return `${shape.kind} ${shape.kind === "label" ? JSON.stringify(shape.text) : ""} at ${where}`;
}
