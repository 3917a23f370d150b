import assert from "node:assert/strict";
import { withUid } from "../../../../clients/kubernetes/pods";

describe("the UID of a static pod", () => {
    const pod = { kind: "Pod", metadata: { name: "etcd" }, spec: { containers: [{ name: "etcd", args: ["--a=1"] }] } };
    const uidOf = (of: typeof pod) => (withUid(of).metadata as { uid?: string }).uid;

    it("is the same as long as the pod is", () => {
        assert.match(uidOf(pod)!, /^[0-9a-f]{32}$/);
        assert.equal(uidOf(withUid(pod)), uidOf(pod));
        assert.deepEqual({ ...withUid(pod), metadata: pod.metadata }, pod);
    });

    it("changes with anything in it", () => {
        const changed = { ...pod, spec: { containers: [{ name: "etcd", args: ["--a=2"] }] } };
        assert.notEqual(uidOf(changed), uidOf(pod));
        assert.notEqual(uidOf({ ...pod, metadata: { name: "other" } }), uidOf(pod));
    });
});
