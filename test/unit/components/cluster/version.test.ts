import assert from "node:assert/strict";
import { byVersion, plainVersion, versionOfImage } from "../../../../components/cluster/version";

describe("a version", () => {
    it("is plain without its v and its build", () => {
        assert.deepEqual(["v1.36.3", "v1.36.3+build", "1.36.3"].map(plainVersion), ["1.36.3", "1.36.3", "1.36.3"]);
    });

    it("sorts by number, not by letter", () => {
        assert.deepEqual(["1.36.10", "1.36.9", "1.9.0"].sort(byVersion), ["1.9.0", "1.36.9", "1.36.10"]);
    });
});

describe("the version of an image", () => {
    const images: [string, string | undefined][] = [
        ["registry.k8s.io/kube-proxy:v1.36.3", "1.36.3"],
        ["mirror:5000/etcd:v3.6.8@sha256:00", "3.6.8"],
        ["mirror:5000/etcd", undefined],
        ["etcd@sha256:00", undefined],
        ["etcd:latest", undefined],
    ];
    for (const [image, version] of images) {
        it(`of ${image} is ${version}`, () => assert.equal(versionOfImage(image), version));
    }
});
