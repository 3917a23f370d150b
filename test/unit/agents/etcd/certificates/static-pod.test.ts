import assert from "node:assert/strict";
import { telling, tells } from "../../../../../agents/etcd/certificates/static-pod";
import { withUid } from "../../../../../clients/kubernetes/static-pod-uid";

const annotation = { name: "keys", value: "[1,2]" };
const first = { name: "keys" };
const pod = withUid({ metadata: { name: "etcd", annotations: { other: "stays" } }, spec: {} });

describe("the static pod of a member that starts anew", () => {
    it("says for which authorities, beside what it said before", () => {
        const { metadata } = telling(pod, annotation);
        assert.deepEqual(metadata.annotations, { other: "stays", keys: "[1,2]" });
        assert.equal(tells({ metadata }, annotation), true);
        assert.equal(tells(pod, annotation), false);
    });

    it("says nothing of those that a cluster begins with", () => {
        assert.equal(tells(pod, first), true);
        assert.deepEqual(telling(telling(pod, annotation), first), pod);
    });

    it("is the same pod for the kubelet", () => {
        const uidOf = ({ metadata }: { metadata: object }) => (metadata as { uid: string }).uid;
        assert.equal(uidOf(telling(pod, annotation)), uidOf(pod));
    });
});
