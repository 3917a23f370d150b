import assert from "node:assert/strict";
import {
    byVersion,
    plainVersion,
    versionOfFile,
    versionOfImage,
    versionsInUrl,
} from "../../../../cluster/upgrades/version";

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

describe("the versions of a URL", () => {
    it("are those of its folders and file name, and nothing similar", () => {
        for (const [url, versions] of [
            ["https://dl.k8s.io/v1.36.3/bin/linux/amd64/kubelet", ["1.36.3"]],
            ["https://mirror.example/2.0.1/cni-plugins-linux-amd64-v1.9.1.tgz", ["2.0.1", "1.9.1"]],
            ["https://mirror.example/kubelet_1.36.3?version=1.36.4", ["1.36.3", "1.36.4"]],
            ["http://10.1.2.3:8080/built-by-go1.25.3/kubelet", []],
            ["https://mirror.example/10.1.2.3/kubelet", []],
        ] as const) {
            assert.deepEqual(versionsInUrl(url), versions, url);
        }
    });

    it("are of its file where that has one", () => {
        assert.equal(versionOfFile("https://mirror.example/2.0.1/cni-plugins-linux-amd64-v1.9.1.tgz"), "1.9.1");
        assert.equal(versionOfFile("https://mirror.example/2.0.1/cni-plugins.tgz"), undefined);
    });
});
