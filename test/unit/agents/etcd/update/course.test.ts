import assert from "node:assert/strict";
import type { EtcdStaticPod } from "../../../../../agents/etcd/update/manifest";
import { courseOf } from "../../../../../agents/etcd/update/update";

const pod = (image: string): EtcdStaticPod => ({
    metadata: { uid: "own" },
    spec: { containers: [{ image, command: ["etcd"] }] },
});
const plan = { id: "now", staticPod: pod("wanted") };
const reason = "it did not serve";

describe("the course of an update of etcd", () => {
    it("is from what is there to what is wanted", () => {
        const update = { kind: "update", previous: pod("there"), wanted: pod("wanted") };
        assert.deepEqual(courseOf(plan, { phase: "idle" }, pod("there")), update);
        assert.deepEqual(courseOf(plan, { phase: "reverted", id: "before", reason }, pod("there")), update);
    });

    it("goes back to what served last, not to what was tried and never proven", () => {
        const update = { kind: "update", previous: pod("proven"), wanted: pod("wanted") };
        for (const id of ["now", "before"]) {
            assert.deepEqual(courseOf(plan, { phase: "switched", id, previous: pod("proven") }, pod("there")), update);
        }
        const reverting = { phase: "reverting", id: "before", previous: pod("proven"), reason } as const;
        assert.deepEqual(courseOf(plan, reverting, pod("there")), update);
    });

    it("goes on with the way back, and does not try again what failed", () => {
        const reverting = { phase: "reverting", id: "now", previous: pod("proven"), reason } as const;
        assert.deepEqual(courseOf(plan, reverting, pod("there")), { kind: "revert", previous: pod("proven"), reason });
        const reverted = { phase: "reverted", id: "now", reason } as const;
        assert.deepEqual(courseOf(plan, reverted, pod("there")), { kind: "failed", reason });
    });
});
