import assert from "node:assert/strict";
import { awsDownloads, cloudDownloads } from "../../../stacks/downloads";

const sha256 = "1".repeat(64);

describe("what machines of a cloud fetch", () => {
    it("comes from where it is published, with its hash", () => {
        const { kubelet, cniPlugins, registryMirror } = cloudDownloads({ kubelet: { sha256 } }, "1.35.4");
        assert.deepEqual(kubelet, { urls: ["https://dl.k8s.io/v1.35.4/bin/linux/amd64/kubelet"], sha256 });
        assert.match(cniPlugins.urls[0]!, /^https:\/\/github\.com\/containernetworking\/.*linux-amd64.*\.tgz$/);
        assert.match(cniPlugins.sha256, /^[0-9a-f]{64}$/);
        assert.equal(registryMirror, undefined);
    });

    it("comes from another place if configured", () => {
        const other = { urls: ["http://mirror.example/x"], sha256 };
        const registryMirror = "http://mirror.example:5000";
        const downloads = { kubelet: other, cniPlugins: other, registryMirror };
        assert.deepEqual(cloudDownloads(downloads), downloads);
    });

    it("is for both architectures on AWS, and only for those configured", () => {
        const { kubelet, arm64, registryMirror } = awsDownloads(
            { arm64: { kubelet: { sha256 } }, registryMirror: "http://mirror.example:5000" },
            "1.35.4",
        );
        assert.equal(kubelet, undefined);
        assert.deepEqual(arm64!.kubelet.urls, ["https://dl.k8s.io/v1.35.4/bin/linux/arm64/kubelet"]);
        assert.match(arm64!.cniPlugins.urls[0]!, /linux-arm64/);
        assert.equal(registryMirror, "http://mirror.example:5000");
        const both = awsDownloads({ kubelet: { sha256 }, arm64: { kubelet: { sha256 } } });
        assert.notEqual(both.cniPlugins!.sha256, both.arm64!.cniPlugins.sha256);
    });

    it("includes a container runtime if configured, from where it is published", () => {
        const containerRuntime = { containerd: { sha256 }, runc: { sha256, urls: ["http://mirror.example/runc"] } };
        const found = cloudDownloads({ kubelet: { sha256 }, containerRuntime }).containerRuntime!;
        assert.match(
            found.containerd.urls[0]!,
            /^https:\/\/github\.com\/containerd\/.*containerd-static-2\..*-linux-amd64\.tar\.gz$/,
        );
        assert.deepEqual(found.runc, { urls: ["http://mirror.example/runc"], sha256 });
        const arm64 = { kubelet: { sha256 }, containerRuntime: { containerd: { sha256 }, runc: { sha256 } } };
        const [url] = awsDownloads({ arm64 }).arm64!.containerRuntime!.runc.urls;
        assert.match(
            url!,
            /^https:\/\/github\.com\/opencontainers\/runc\/releases\/download\/v1\.[\d.]+\/runc\.arm64$/,
        );
        const otherContainerRuntimes = [containerRuntime];
        const others = cloudDownloads({ kubelet: { sha256 }, containerRuntime, otherContainerRuntimes });
        assert.deepEqual(others.otherContainerRuntimes, [found]);
    });

    it("has kubelets of other versions, each for its architecture", () => {
        const other = { "1.35.4": { sha256: "2".repeat(64) } };
        const machine = { kubelet: { sha256 }, otherKubelets: other };
        const { otherKubelets, arm64 } = awsDownloads({ ...machine, arm64: machine }, "1.36.3");
        const from = (arch: string) => `https://dl.k8s.io/v1.35.4/bin/linux/${arch}/kubelet`;
        assert.deepEqual(otherKubelets, { "1.35.4": { ...other["1.35.4"], urls: [from("amd64")] } });
        assert.deepEqual(arm64!.otherKubelets, { "1.35.4": { ...other["1.35.4"], urls: [from("arm64")] } });
        assert.deepEqual(cloudDownloads({ ...machine }, "1.36.3").otherKubelets, otherKubelets);
        assert.throws(
            () => awsDownloads({ arm64: { ...machine, otherKubelets: { "1.0.0": { sha256 } } } }),
            /^Error: a key of downloads\.arm64\.otherKubelets must be a release of .*, got 1\.0\.0$/,
        );
    });

    it("is of any release of a supported minor version", () => {
        assert.throws(
            () => cloudDownloads({ kubelet: { sha256 } }, "1.0.0"),
            /^Error: kubernetesVersion must be a release of/,
        );
        const { kubelet } = cloudDownloads({ kubelet: { sha256 } }, "1.36.99");
        assert.deepEqual(kubelet.urls, ["https://dl.k8s.io/v1.36.99/bin/linux/amd64/kubelet"]);
    });
});
