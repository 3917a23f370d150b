import assert from "node:assert/strict";
import { hasAnnotation, withAnnotation, withRestart } from "../../../../../agents/etcd/certificates/static-pod";
import { withUid } from "../../../../../clients/kubernetes/pods";

const annotation = { name: "keys", value: "[1,2]" };
const first = { name: "keys" };
const pod = withUid({ metadata: { name: "etcd", annotations: { other: "stays" } }, spec: {} });

describe("the static pod of a restarted member", () => {
    it("names its CAs in addition to its existing annotations", () => {
        const { metadata } = withAnnotation(pod, annotation);
        assert.deepEqual(metadata.annotations, { other: "stays", keys: "[1,2]" });
        assert.equal(hasAnnotation({ metadata }, annotation), true);
        assert.equal(hasAnnotation(pod, annotation), false);
    });

    it("has no annotation for a cluster's first CAs", () => {
        assert.equal(hasAnnotation(pod, first), true);
        assert.deepEqual(withAnnotation(withAnnotation(pod, annotation), first), pod);
    });

    it("is the same pod to the kubelet", () => {
        const uidOf = ({ metadata }: { metadata: object }) => (metadata as { uid: string }).uid;
        assert.equal(uidOf(withAnnotation(pod, annotation)), uidOf(pod));
    });

    it("has another image to the kubelet, which would otherwise start it after a back-off, if the digest is known", () => {
        const imageOf = (image: string) => {
            const { spec } = withRestart({
                ...pod,
                spec: { containers: [{ image, name: "etcd" }, { image: "other" }] },
            });
            assert.deepEqual(spec.containers[1], { image: "other" });
            return spec.containers[0]!.image;
        };
        const [first, second, third] = ["etcd:v3@sha256:1", "etcd:v3-r2@sha256:1", "etcd:v3-r3@sha256:1"] as const;
        assert.deepEqual([imageOf(first), imageOf(second)], [second, third]);
        assert.equal(imageOf("etcd:v3"), "etcd:v3");
    });
});
