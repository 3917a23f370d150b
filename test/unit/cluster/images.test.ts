import assert from "node:assert/strict";
import { runtimeName } from "../../../cluster/images";
import { resolveCluster } from "../../../cluster/resolve";
import { ETCD_VERSIONS, KUBERNETES_VERSIONS } from "../../../versions";
import { publishedDigests } from "../../../versions/image-digests";
import { imagesFor } from "../../../versions/images";

const sha256 = "0".repeat(64);
const imagesOf = (options: object = {}) =>
    resolveCluster({ name: "c", kubernetesVersion: "1.36.3", ...options }).images;

describe("images of a cluster", () => {
    it("are pulled by digest where the release knows it, unless that is turned off", () => {
        const tag = "registry.k8s.io/kube-apiserver:v1.36.3";
        const pinned = `${tag}@sha256:${publishedDigests[tag]!.sha256}`;
        assert.equal(imagesOf().kubeApiserver, pinned);
        assert.equal(imagesOf({ imageDigests: false }).kubeApiserver, tag);
    });

    it("may be others, with the version of the cluster", () => {
        const kubeApiserver = `mirror.example:5000/k8s/kube-apiserver:v1.36.3@sha256:${sha256}`;
        const haproxy = "mirror.example/haproxy:3.0";
        const images = imagesOf({ images: { kubeApiserver, haproxy } });
        assert.deepEqual([images.kubeApiserver, images.haproxy], [kubeApiserver, haproxy]);
        assert.equal(images.kubeProxy, "registry.k8s.io/kube-proxy:v1.36.3");
    });

    const versioned =
        "a full image name with the tag v1.36.3 and, to pin it, a digest, such as registry.example/image:v1.36.3@sha256:…";
    for (const [kubeApiserver, why] of [
        ["registry.k8s.io/kube-apiserver:v1.36.2", "another version, which an upgrade would leave behind"],
        [`registry.k8s.io/kube-apiserver@sha256:${sha256}`, "no tag"],
        ["kube-apiserver:v1.36.3", "no registry"],
        ["registry.k8s.io/kube-apiserver:v1.36.3@sha256:0123", "a short digest"],
        [`registry.k8s.io/kube-apiserver:v1.36.3@sha512:${sha256}`, "another kind of digest"],
        ["registry.k8s.io/kube-apiserver:v1.36.3; reboot", "more than a name"],
    ]) {
        it(`are refused with ${why}`, () =>
            assert.throws(() => imagesOf({ images: { kubeApiserver } }), {
                message: `images.kubeApiserver must be ${versioned} (got ${kubeApiserver})`,
            }));
    }

    it("have the name under which containerd keeps them", () => {
        assert.equal(runtimeName(`a.example:5000/b/c:v1@sha256:${sha256}`), `a.example:5000/b/c@sha256:${sha256}`);
        assert.equal(runtimeName("a.example:5000/b/c:v1"), "a.example:5000/b/c:v1");
        assert.equal(runtimeName(`a.example/b@sha256:${sha256}`), `a.example/b@sha256:${sha256}`);
    });

    it("have no digest that belongs to no image of the release", () => {
        const known = KUBERNETES_VERSIONS.flatMap((kubernetes) =>
            ETCD_VERSIONS.flatMap((etcd) => Object.values(imagesFor(kubernetes, etcd))),
        );
        for (const [image, { sha256: digest }] of Object.entries(publishedDigests)) {
            assert.ok(known.includes(image), image);
            assert.match(digest, /^[0-9a-f]{64}$/);
        }
    });
});
