import assert from "node:assert/strict";
import { snapshotFacts } from "../../../../../cli/status/collect/api";

describe("the facts of snapshots", () => {
    it("are empty if none are taken", () => {
        assert.equal(snapshotFacts(undefined), null);
        assert.equal(snapshotFacts({ members: "{}" }), null);
    });

    it("are the last successful one, its copy, and errors", () => {
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

    it("are an error for an unknown format", () => {
        assert.throws(() => snapshotFacts({ snapshot: '{"last": "yesterday"}' }));
        assert.throws(() => snapshotFacts({ snapshot: "{" }));
    });
});
