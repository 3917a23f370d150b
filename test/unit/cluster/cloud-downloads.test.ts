import assert from "node:assert/strict";
import { cloudDownloads } from "../../../cluster/cloud-downloads";
import { architectures } from "../../../cluster/downloads";
import { requireDownloads } from "../../../cluster/machines/download-checks";
import { KUBERNETES_VERSIONS } from "../../../versions";
import { kubeletChecksums, runcChecksums } from "../../../versions/published-checksums";

const sha256 = "1".repeat(64);
const message = (check: () => unknown): string => {
    try {
        check();
    } catch (error) {
        return (error as Error).message;
    }
    throw new Error("nothing was thrown");
};

describe("what machines of a cloud download", () => {
    it("is published, with known checksums, for every tested version and architecture but one", () => {
        const known = Object.keys(kubeletChecksums) as (keyof typeof kubeletChecksums)[];
        assert.deepEqual(
            KUBERNETES_VERSIONS.filter((version) => !(version in kubeletChecksums)),
            ["1.37.2"],
        );
        for (const version of known) {
            for (const architecture of architectures) {
                const { kubelet, cniPlugins, ...others } = cloudDownloads({}, version, architecture);
                assert.deepEqual(kubelet, {
                    urls: [`https://dl.k8s.io/v${version}/bin/linux/${architecture}/kubelet`],
                    sha256: kubeletChecksums[version][architecture].sha256,
                });
                const [url] = cniPlugins.urls;
                const cni = new RegExp(`^https://github\\.com/containernetworking/.*linux-${architecture}.*\\.tgz$`);
                assert.match(url!, cni);
                assert.deepEqual(others, {});
                requireDownloads({ kubelet, cniPlugins }, version, architecture);
            }
        }
    });

    it("comes from another place if configured", () => {
        const other = { urls: ["http://mirror.example/x"], sha256 };
        const registryMirror = "http://mirror.example:5000";
        const downloads = { kubelet: other, cniPlugins: other, registryMirror };
        assert.deepEqual(cloudDownloads(downloads, "1.36.3", "amd64"), downloads);
        const { urls } = other;
        assert.deepEqual(cloudDownloads({ kubelet: { urls } }, "1.36.3", "arm64").kubelet, {
            urls,
            sha256: kubeletChecksums["1.36.3"].arm64.sha256,
        });
    });

    it("needs the kubelet's checksum for other versions, and says which line to add and what prints it", () => {
        assert.equal(
            message(() => cloudDownloads({}, "1.36.99", "amd64")),
            [
                "downloads.kubelet.sha256 must be that of kubelet 1.36.99 for amd64, which this release of Tradewind does not know (got nothing)",
                "Add it to the arguments of the cluster in a program:",
                '  downloads: { kubelet: { sha256: "…" } },',
                "or to the configuration of a stack:",
                '  tradewind:downloads: { kubelet: { sha256: "…" } }',
                "This command prints it:",
                "  curl -fsSL https://dl.k8s.io/v1.36.99/bin/linux/amd64/kubelet.sha256",
            ].join("\n"),
        );
        const given = cloudDownloads({ kubelet: { sha256 } }, "1.36.99", "amd64");
        assert.deepEqual(given.kubelet, {
            urls: ["https://dl.k8s.io/v1.36.99/bin/linux/amd64/kubelet"],
            sha256,
        });
        const other = message(() => cloudDownloads({ otherKubelets: { "1.36.99": {} } }, "1.36.3", "arm64"));
        assert.match(other, /^downloads\.arm64\.otherKubelets\["1\.36\.99"\]\.sha256 must be/);
        assert.match(other, /\n {2}downloads: { arm64: { otherKubelets: { "1\.36\.99": { sha256: "…" } } } },\n/);
        assert.match(other, /linux\/arm64\/kubelet\.sha256$/);
    });

    it("has kubelets of other versions, each for its architecture", () => {
        const otherKubelets = { "1.35.4": {}, "1.36.99": { sha256 } };
        const found = cloudDownloads({ otherKubelets }, "1.36.3", "arm64").otherKubelets!;
        const url = (version: string) => `https://dl.k8s.io/v${version}/bin/linux/arm64/kubelet`;
        assert.deepEqual(found, {
            "1.35.4": { urls: [url("1.35.4")], sha256: kubeletChecksums["1.35.4"].arm64.sha256 },
            "1.36.99": { urls: [url("1.36.99")], sha256 },
        });
        assert.throws(
            () => cloudDownloads({ otherKubelets: { "1.0.0": { sha256 } } }, "1.36.3", "arm64"),
            /^Error: a key of downloads\.arm64\.otherKubelets must be a release of .* \(got 1\.0\.0\)$/,
        );
    });

    it("includes a container runtime if configured, from where it is published", () => {
        const containerRuntime = { containerd: { sha256 } };
        const { containerd, runc } = cloudDownloads({ containerRuntime }, "1.36.3", "arm64").containerRuntime!;
        assert.match(
            containerd.urls[0]!,
            /^https:\/\/github\.com\/containerd\/.*containerd-static-2\..*-linux-arm64\.tar\.gz$/,
        );
        assert.match(
            runc.urls[0]!,
            /^https:\/\/github\.com\/opencontainers\/runc\/releases\/download\/v1\.[\d.]+\/runc\.arm64$/,
        );
        assert.equal(runc.sha256, runcChecksums.arm64.sha256);
        const own = { containerd: { sha256 }, runc: { sha256, urls: ["http://mirror.example/runc"] } };
        const otherContainerRuntimes = [own];
        const others = cloudDownloads({ otherContainerRuntimes }, "1.36.3", "arm64").otherContainerRuntimes!;
        assert.deepEqual(others, [{ containerd, runc: own.runc }]);
    });

    it("needs containerd's checksum", () => {
        const otherContainerRuntimes = [{ containerd: {} }];
        const text = message(() => cloudDownloads({ otherContainerRuntimes }, "1.36.3", "amd64"));
        assert.match(text, /^downloads\.otherContainerRuntimes\[0\]\.containerd\.sha256 must be that of containerd's/);
        assert.match(text, /\n {2}downloads: { otherContainerRuntimes: \[{ containerd: { sha256: "…" } }\] },\n/);
        assert.match(text, /\n {2}curl -fsSL https:\/\/github\.com\/.*-linux-amd64\.tar\.gz\.sha256sum$/);
    });
});
