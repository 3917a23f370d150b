import assert from "node:assert/strict";
import { snapshotName, snapshotTime } from "../../../../../agents/etcd/keeper/directory";

describe("a snapshot's name", () => {
    const time = new Date("2026-11-21T05:38:34.123Z");

    it("contains its time", () => {
        assert.equal(snapshotName("c-1", time), "c-1-20261121T053834.123Z");
        assert.deepEqual(snapshotTime("c-1", snapshotName("c-1", time)), time);
    });

    for (const [cluster, name] of [
        ["c", "c-1-20261121T053834.123Z"],
        ["c-1", "c-20261121T053834.123Z"],
        ["c", "c-latest"],
        ["c", "c-20261121T053834.123Z.old"],
    ] as const) {
        it(`${name} does not belong to cluster ${cluster}`, () => assert.equal(snapshotTime(cluster, name), undefined));
    }
});
