import assert from "node:assert/strict";
import { withUid } from "../../../../agents/common/static-pod-uid";
import { startedFor, tells } from "../../../../agents/etcd-certificates/static-pod";

const annotation = { name: "keys", value: "[1,2]" };
const first = { name: "keys" };
const pod = withUid({ metadata: { name: "etcd", annotations: { other: "stays" } }, spec: {} });
const since = Date.parse("2026-11-22T06:00:00Z");

describe("the static pod of a member that starts anew", () => {
    it("says for which authorities, beside what it said before", () => {
        const { metadata } = startedFor(pod, annotation, since);
        assert.deepEqual(metadata.annotations, {
            other: "stays",
            keys: "[1,2]",
            "tradewind.dev/etcd-ca-since": "2026-11-22T06:00:00.000Z",
        });
        assert.equal(tells({ metadata }, annotation), true);
        assert.equal(tells(pod, annotation), false);
    });

    it("says nothing of those that a cluster begins with", () => {
        assert.equal(tells(pod, first), true);
        const after = startedFor(startedFor(pod, annotation, since), first, since);
        assert.equal(tells(after, first), true);
        assert.equal("keys" in after.metadata.annotations!, false);
    });

    it("is another pod for the kubelet, and the same one the second time", () => {
        const uidOf = ({ metadata }: { metadata: object }) => (metadata as { uid: string }).uid;
        const once = startedFor(pod, annotation, since);
        assert.notEqual(uidOf(once), uidOf(pod));
        assert.deepEqual(startedFor(once, annotation, since), once);
        assert.notEqual(uidOf(startedFor(once, annotation, since + 1)), uidOf(once));
    });
});
