import assert from "node:assert/strict";
import type { EtcdStaticPod } from "../../../../../agents/etcd/update/manifest";
import { courseOf } from "../../../../../agents/etcd/update/update";

const pod = (image: string): EtcdStaticPod => ({
    metadata: { uid: "own" },
    spec: { containers: [{ image, command: ["etcd"] }] },
});
const plan = { id: "now", staticPod: pod("desired") };
const reason = "it did not serve";

describe("an etcd update", () => {
    it("changes the current manifest to the desired one", () => {
        const update = { kind: "update", previous: pod("there"), desired: pod("desired") };
        assert.deepEqual(courseOf(plan, { phase: "idle" }, pod("there")), update);
        assert.deepEqual(courseOf(plan, { phase: "reverted", id: "before", reason }, pod("there")), update);
    });

    it("reverts to the manifest that served last, not to an unproven one", () => {
        const update = { kind: "update", previous: pod("proven"), desired: pod("desired") };
        for (const id of ["now", "before"]) {
            assert.deepEqual(courseOf(plan, { phase: "switched", id, previous: pod("proven") }, pod("there")), update);
        }
        const reverting = { phase: "reverting", id: "before", previous: pod("proven"), reason } as const;
        assert.deepEqual(courseOf(plan, reverting, pod("there")), update);
    });

    it("resumes a revert, and does not retry a failed update", () => {
        const reverting = { phase: "reverting", id: "now", previous: pod("proven"), reason } as const;
        assert.deepEqual(courseOf(plan, reverting, pod("there")), { kind: "revert", previous: pod("proven"), reason });
        const reverted = { phase: "reverted", id: "now", reason } as const;
        assert.deepEqual(courseOf(plan, reverted, pod("there")), { kind: "failed", reason });
    });
});
