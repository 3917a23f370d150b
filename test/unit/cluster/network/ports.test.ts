import assert from "node:assert/strict";
import { ports } from "../../../../cluster/network/ports";

describe("ports", () => {
    it("are each one listener's", () => {
        const numbers = Object.values(ports);
        assert.equal(new Set(numbers).size, numbers.length);
    });

    it("keep out of the range of node ports, which services take", () => {
        assert.deepEqual(
            Object.values(ports).filter((port) => port >= 30000 && port <= 32767),
            [],
        );
    });
});
