import assert from "node:assert/strict";
import { type EtcdStaticPod, isSame, memberManifest } from "../../../../../agents/etcd/update/manifest";

const pod = (image: string, flags: readonly string[], uid?: string): EtcdStaticPod => ({
    metadata: { ...(uid && { uid }) },
    spec: { containers: [{ image, command: ["etcd", ...flags] }] },
});
const wanted = pod("etcd:2", ["--initial-cluster=x", "--initial-cluster-state=new", "--v=2"], "of another");

describe("the static pod that a member is given", () => {
    it("has the member's own first flags and its UID, and all else as wanted", () => {
        const current = pod("etcd:1", ["--old=1", "--initial-cluster=a=b", "--initial-cluster-state=existing"], "own");
        assert.deepEqual(
            memberManifest(wanted, current),
            pod("etcd:2", ["--initial-cluster=a=b", "--initial-cluster-state=existing", "--v=2"], "own"),
        );
    });

    it("says of the member what is true of it, and not what another Job is to make true", () => {
        const saying = (keys: string) => ({ ...wanted, metadata: { uid: "own", annotations: { keys } } });
        assert.deepEqual(memberManifest(saying("[1,2]"), saying("[1]")).metadata.annotations, { keys: "[1]" });
        assert.equal(memberManifest(saying("[1,2]"), pod("etcd:1", [], "own")).metadata.annotations, undefined);
    });

    it("has a UID of its contents where the member's has none: its kubelet made one of them", () => {
        const made = memberManifest(wanted, pod("etcd:1", []));
        assert.match(made.metadata.uid!, /^[0-9a-f]{32}$/);
        assert.notEqual(made.metadata.uid, memberManifest(pod("etcd:3", []), pod("etcd:1", [])).metadata.uid);
    });

    it("is the same in any order of its fields, and with what is not there", () => {
        const { metadata, spec } = wanted;
        assert.ok(isSame({ spec, metadata: { uid: metadata.uid, name: undefined } as object }, wanted));
        assert.ok(!isSame(wanted, pod("etcd:2", ["--v=2"], "of another")));
    });
});
