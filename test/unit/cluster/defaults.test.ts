import assert from "node:assert/strict";
import { defaultsAnnotations, defaultsProblem, resolveDefaults } from "../../../cluster/defaults";

describe("generations of defaults", () => {
    const running = (generation: number) => defaultsAnnotations(resolveDefaults(generation));

    it("are the newest for a new cluster", () =>
        assert.deepEqual(resolveDefaults(undefined), { generation: 2, isSet: false }));

    it("exist", () => assert.throws(() => resolveDefaults(3), /^Error: defaults must be one of 1, 2, got 3$/));

    it("leave the pods of earlier releases as they are", () => assert.deepEqual(running(1), {}));

    it("do not change unless asked", () => {
        const unset = resolveDefaults(undefined);
        assert.match(defaultsProblem(unset, running(1)) ?? "", /set defaults to 1 to keep them, or to 2/);
        assert.equal(defaultsProblem(unset, running(2)), undefined);
    });

    for (const wanted of [1, 2]) {
        it(`change to ${wanted} when asked`, () => {
            for (const from of [1, 2]) assert.equal(defaultsProblem(resolveDefaults(wanted), running(from)), undefined);
        });
    }
});
