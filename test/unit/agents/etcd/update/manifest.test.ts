import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
    type EtcdStaticPod,
    earlierManifest,
    isSame,
    memberManifest,
    rivals,
} from "../../../../../agents/etcd/update/manifest";

const pod = (image: string, flags: readonly string[], uid?: string): EtcdStaticPod => ({
    metadata: { ...(uid && { uid }) },
    spec: { containers: [{ image, command: ["etcd", ...flags] }] },
});
const desired = pod("etcd:2", ["--initial-cluster=x", "--initial-cluster-state=new", "--v=2"], "of another");

describe("a member's new static pod", () => {
    it("keeps the member's initial flags and UID, and is otherwise the desired one", () => {
        const current = pod("etcd:1", ["--old=1", "--initial-cluster=a=b", "--initial-cluster-state=existing"], "own");
        assert.deepEqual(
            memberManifest(desired, current),
            pod("etcd:2", ["--initial-cluster=a=b", "--initial-cluster-state=existing", "--v=2"], "own"),
        );
    });

    it("keeps the member's annotations, and does not take over those that another Job sets", () => {
        const saying = (keys: string) => ({ ...desired, metadata: { uid: "own", annotations: { keys } } });
        assert.deepEqual(memberManifest(saying("[1,2]"), saying("[1]")).metadata.annotations, { keys: "[1]" });
        assert.equal(memberManifest(saying("[1,2]"), pod("etcd:1", [], "own")).metadata.annotations, undefined);
    });

    it("has an image under another name, which the kubelet takes for another one, if its digest is known", () => {
        const images = (image: string, digest?: string) => {
            const once = memberManifest(pod(image, ["--v=2"]), pod(image, [], "own"), digest);
            const twice = memberManifest(pod(image, ["--v=3"]), once, digest);
            return [once, twice].map(({ spec }) => spec.containers[0]!.image);
        };
        assert.deepEqual(images("etcd:v1@sha256:a"), ["etcd:v1-r2@sha256:a", "etcd:v1-r3@sha256:a"]);
        assert.deepEqual(images("etcd:v1", "sha256:a"), ["etcd:v1-r2@sha256:a", "etcd:v1-r3@sha256:a"]);
        assert.deepEqual(images("etcd:v1"), ["etcd:v1", "etcd:v1"]);
        const another = memberManifest(pod("etcd:v2@sha256:b", []), pod("etcd:v1-r3@sha256:a", []), "sha256:a");
        assert.equal(another.spec.containers[0]!.image, "etcd:v2@sha256:b");
    });

    it("is the current one, whatever the name of its image, if nothing else is to change", () => {
        const current = pod("etcd:v1-r2@sha256:a", ["--v=2"], "own");
        assert.equal(memberManifest(pod("etcd:v1@sha256:a", ["--v=2"]), current), current);
        assert.notEqual(memberManifest(pod("etcd:v1@sha256:b", ["--v=2"]), current), current);
    });

    it("gets a UID from its contents if the member's has none: its kubelet generated one", () => {
        const made = memberManifest(desired, pod("etcd:1", []));
        assert.match(made.metadata.uid!, /^[0-9a-f]{32}$/);
        assert.notEqual(made.metadata.uid, memberManifest(pod("etcd:3", []), pod("etcd:1", [])).metadata.uid);
    });

    it("is the same with its fields in any order, or with undefined ones", () => {
        const { metadata, spec } = desired;
        assert.ok(isSame({ spec, metadata: { uid: metadata.uid, name: undefined } as object }, desired));
        assert.ok(!isSame(desired, pod("etcd:2", ["--v=2"], "of another")));
    });
});

describe("a member's earlier static pod", () => {
    const earlier = pod("etcd:v1-r2@sha256:a", ["--v=1"], "own");

    it("has an image under a name that neither it nor the failed one had", () => {
        const revert = (image: string) => earlierManifest(earlier, pod(image, ["--v=2"], "own"));
        assert.deepEqual(revert("etcd:v1-r3@sha256:a"), pod("etcd:v1-r4@sha256:a", ["--v=1"], "own"));
        assert.deepEqual(revert("etcd:v2@sha256:b"), pod("etcd:v1-r3@sha256:a", ["--v=1"], "own"));
    });

    it("is the current one if that runs the same", () => {
        const current = pod("etcd:v1-r4@sha256:a", ["--v=1"], "own");
        assert.equal(earlierManifest(earlier, current), current);
    });

    it("keeps the name of an image without a digest, which was found by that name", () => {
        assert.deepEqual(
            earlierManifest(pod("etcd:v1", []), pod("etcd:v1-r2@sha256:a", ["--v=2"])),
            pod("etcd:v1", []),
        );
    });
});

describe("other static pods on a member's machine", () => {
    const staticPods = mkdtempSync(join(tmpdir(), "tradewind-rivals-test-"));
    after(() => rmSync(staticPods, { recursive: true }));

    it("are in its way if they define a pod of its name, whatever their file is called", () => {
        const etcd = JSON.stringify({ kind: "Pod", metadata: { name: "etcd" } }, null, 2);
        const files = {
            "etcd.json": etcd,
            ".etcd.json.half": etcd,
            "checkpoint-kube-system.etcd.json": etcd,
            "etcd.json.bak": etcd,
            "old.yaml": "kind: Pod\nmetadata:\n  name: etcd\n",
            "web.yaml": "kind: Pod\nmetadata:\n  name: web\nspec:\n  containers:\n  - name: etcd\n",
            half: "{",
        };
        for (const [name, text] of Object.entries(files)) writeFileSync(join(staticPods, name), text);
        assert.deepEqual(rivals({ directories: { staticPods } }), [
            join(staticPods, "etcd.json.bak"),
            join(staticPods, "old.yaml"),
        ]);
    });
});
