import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { tagLink } from "../../../cache/built-digests";
import { builtImages, localDownloads } from "../../../stacks/downloads";
import { ETCD_VERSIONS, KUBERNETES_VERSIONS, versions } from "../../../versions";
import { imagesFor, mirrorPath, unusedImages } from "../../../versions/images";

const sha256 = "1".repeat(64);
const untested = "1.36.99";

describe("what machines of a local cluster download", () => {
    const { TRADEWIND_CACHE: before } = process.env;
    let cache: string;

    beforeEach(() => {
        cache = mkdtempSync(join(tmpdir(), "tradewind-local-downloads-"));
        process.env.TRADEWIND_CACHE = cache;
        hasKubelets(versions.kubernetes);
    });

    afterEach(() => {
        if (before === undefined) delete process.env.TRADEWIND_CACHE;
        else process.env.TRADEWIND_CACHE = before;
        rmSync(cache, { recursive: true });
    });

    /** Makes these kubelets the ones in the cache. */
    function hasKubelets(...kubelets: string[]) {
        const cni = `v${versions.cniPlugins}`;
        const paths = [
            ...kubelets.map((version) => `kubernetes/v${version}/kubelet`),
            `cni-plugins/${cni}/cni-plugins-linux-amd64-${cni}.tgz`,
        ];
        const index = Object.fromEntries(paths.map((path) => [path, { sha256, source: "built" }]));
        mkdirSync(join(cache, "files"), { recursive: true });
        writeFileSync(join(cache, "files", "index.json"), JSON.stringify(index));
    }

    function hasImage(image: string) {
        const link = join(cache, tagLink(mirrorPath(image)));
        mkdirSync(dirname(link), { recursive: true });
        writeFileSync(link, `sha256:${sha256}\n`);
    }

    it("is of an untested version if the cache has its files", () => {
        hasKubelets(untested, versions.kubernetes);
        const { kubelet, otherKubelets } = localDownloads("c", {
            kubernetesVersion: untested,
            otherKubelets: [versions.kubernetes],
        });
        assert.match(kubelet.urls[0]!, /\/kubernetes\/v1\.36\.99\/kubelet$/);
        assert.deepEqual(Object.keys(otherKubelets!), [versions.kubernetes]);
        const images = imagesFor(untested);
        for (const image of [images.kubeApiserver, images.etcd]) hasImage(image);
        const byTag = { kubernetesVersion: untested, imageDigests: false };
        assert.deepEqual(builtImages(byTag), {});
    });

    it("is a kubelet from elsewhere, if one is configured", () => {
        const urls = ["http://10.0.0.5:5000/kubelet"];
        const { kubelet } = localDownloads("c", { kubelet: { urls } });
        assert.deepEqual(kubelet, { urls, sha256: localDownloads("c").kubelet.sha256 });
        const own = { urls, sha256: "2".repeat(64) };
        assert.deepEqual(localDownloads("c", { kubernetesVersion: untested, kubelet: own }).kubelet, own);
    });

    it("is refused without them, with the versions that can be built", () => {
        const tested = KUBERNETES_VERSIONS.join(", ");
        const lacks = `must be one of ${tested} on a local cluster, or a version in the cache, which has no`;
        const file = `kubernetes/v${untested}/kubelet (got ${untested})`;
        assert.throws(() => localDownloads("c", { kubernetesVersion: untested }), {
            message: `kubernetesVersion ${lacks} ${file}`,
        });
        assert.throws(() => localDownloads("c", { otherKubelets: [untested] }), {
            message: `otherKubelets[0] ${lacks} ${file}`,
        });
        assert.throws(() => builtImages({ kubernetesVersion: untested, imageDigests: false }), {
            message: `kubernetesVersion ${lacks} registry.k8s.io/kube-apiserver:v${untested} (got ${untested})`,
        });
        assert.throws(() => builtImages({ etcdVersion: "3.6.99", imageDigests: false }), {
            message: `etcdVersion must be one of ${ETCD_VERSIONS.join(", ")} on a local cluster, or a version in the cache, which has no quay.io/coreos/etcd:v3.6.99 (got 3.6.99)`,
        });
    });

    it("is without the images that only other clusters use: a first start does not make them", () => {
        const all = imagesFor(versions.kubernetes, versions.etcd);
        const uses = { metricsServer: false, logs: false, prometheus: false, kubeletPods: false };
        const unused = unusedImages(uses);
        const used = Object.entries(all).filter(([name]) => !unused.some((each) => each === name));
        for (const [, image] of used) hasImage(image);
        const pinned = used.map(([name, image]) => [name, `${image}@sha256:${sha256}`]);
        assert.deepEqual(builtImages({}), Object.fromEntries(pinned));
        const lacks = (image: string) => ({
            message: `the cache has no ${image}: run "npm run artifacts -- fill --kubernetes ${versions.kubernetes} --etcd ${versions.etcd}"`,
        });
        assert.throws(() => builtImages({ metricsServer: true }), lacks(all.metricsServer));
        assert.throws(() => builtImages({ logs: { output: { type: "syslog" } } as never }), lacks(all.logCollector));
        assert.throws(() => builtImages({ prometheus: {} }), lacks(all.prometheus));
        assert.throws(() => builtImages({ selfHosted: { kubelet: true } }), lacks(all.kubelet));
        const own = { prometheus: "registry.example/prometheus:v3" };
        assert.deepEqual(builtImages({ prometheus: {}, images: own }), Object.fromEntries(pinned));
    });

    it("is refused for a minor version that is not supported", () => {
        assert.throws(() => localDownloads("c", { otherKubelets: ["1.33.6"] }), /^Error: otherKubelets\[0\] must be a/);
        assert.throws(() => builtImages({ etcdVersion: "3.5.26" }), /^Error: etcdVersion must be a release of 3\.6/);
    });
});
