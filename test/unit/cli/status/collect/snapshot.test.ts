import assert from "node:assert/strict";
import { snapshotFacts } from "../../../../../cli/status/collect/api";

describe("the facts of snapshots", () => {
    it("are none where none are taken", () => {
        assert.equal(snapshotFacts(undefined), null);
        assert.equal(snapshotFacts({ members: "{}" }), null);
    });

    it("are the last good one, its copy, and what failed", () => {
        const snapshot = {
            last: { name: "demo-1", time: "2026-11-21T05:00:00Z", node: "c-0", size: 1 },
            object: "s3://b/demo-1",
            failure: { time: "2026-11-21T05:30:00Z", message: "disk full" },
        };
        assert.deepEqual(snapshotFacts({ snapshot: JSON.stringify(snapshot) }), {
            last: { at: "2026-11-21T05:00:00Z", name: "demo-1", node: "c-0" },
            copy: "s3://b/demo-1",
            failure: "disk full",
            copyFailure: undefined,
            next: undefined,
        });
    });

    it("are an error in a form that is not known, rather than a guess", () => {
        assert.throws(() => snapshotFacts({ snapshot: '{"last": "yesterday"}' }));
        assert.throws(() => snapshotFacts({ snapshot: "{" }));
    });
});
