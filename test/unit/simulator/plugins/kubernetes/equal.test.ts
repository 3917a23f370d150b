import assert from "node:assert/strict";
import { isSame } from "../../../../../simulator/plugins/kubernetes/reconcile";

describe("values of Kubernetes objects", () => {
    const same: [unknown, unknown][] = [
        ["0.5", "500m"],
        ["1Gi", "1024Mi"],
        ["1000", "1k"],
        [1, "1"],
        ["0.1", "100m"],
        ["1e3", "1000"],
        [{ a: [1] }, { a: [1] }],
    ];
    for (const [one, other] of same) {
        it(`are equal: ${JSON.stringify(one)} and ${JSON.stringify(other)}`, () => assert.ok(isSame(one, other)));
    }

    const different: [unknown, unknown][] = [
        ["1G", "1Gi"],
        ["1", "2"],
        ["a", "b"],
        [true, 1],
        ["", "0"],
        ["1x", "1"],
        [undefined, 0],
    ];
    for (const [one, other] of different) {
        it(`differ: ${JSON.stringify(one)} and ${JSON.stringify(other)}`, () => assert.ok(!isSame(one, other)));
    }
});
