import assert from "node:assert/strict";
import { type Architecture, type NodeDownloads, publishedRunc } from "../../../../cluster/downloads";
import {
    downloadsOption,
    kubeletsOf,
    requireDownloads,
    requireRuntimeOf,
} from "../../../../cluster/machines/download-checks";
import { kubeletChecksums } from "../../../../versions/published-checksums";
import { downloads } from "../../components/in-cluster/fixture";

const [own, other] = ["1", "3"].map((digit) => digit.repeat(64)) as [string, string];
const kubelet = (...urls: string[]): Partial<NodeDownloads> => ({ kubelet: { urls, sha256: own } });

const check = (more: Partial<NodeDownloads> = {}, architecture: Architecture = "amd64") =>
    requireDownloads({ ...downloads, ...more }, "1.36.3", architecture);

describe("what machines are to fetch", () => {
    it("are accepted if nothing shows that they are wrong", () => {
        assert.deepEqual(check(), downloads);
        const { sha256 } = kubeletChecksums["1.36.3"].amd64;
        check({ kubelet: { urls: ["https://dl.k8s.io/v1.36.3/bin/linux/amd64/kubelet"], sha256 } });
        check(kubelet("https://mirror.example/go1.25.3/kubelet", "http://10.0.0.1/releases/2.0.1/kubelet"));
        check(kubelet("https://mirror.example/1.35.4/kubelet-1.36.3"));
        check({ otherKubelets: { "1.35.4": { urls: ["https://mirror.example/v1.35.4/kubelet"], sha256: other } } });
    });

    it("are refused with a container runtime for another architecture, or for an OS that has its own", () => {
        const of = (arch: string, sha256 = own) => ({
            urls: [`https://mirror.example/linux-${arch}.tar.gz`],
            sha256,
        });
        const containerRuntime = { containerd: of("amd64"), runc: of("amd64", other) };
        assert.deepEqual(check({ containerRuntime }).containerRuntime, containerRuntime);
        assert.throws(() => check({ containerRuntime: { ...containerRuntime, runc: of("arm64") } }), {
            message:
                "downloads.containerRuntime.runc.urls[0] must be of a file for amd64 (got https://mirror.example/linux-arm64.tar.gz)",
        });
        const otherContainerRuntimes = [{ ...containerRuntime, containerd: of("arm64") }];
        assert.throws(() => check({ containerRuntime, otherContainerRuntimes }), {
            message:
                "downloads.otherContainerRuntimes[0].containerd.urls[0] must be of a file for amd64 (got https://mirror.example/linux-arm64.tar.gz)",
        });
        assert.throws(() => check({ containerRuntime: { ...containerRuntime, runc: of("amd64") } }), {
            message: `downloads.containerRuntime.runc.sha256 must not equal the SHA-256 of its containerd (got ${own})`,
        });
        assert.throws(() => requireRuntimeOf("cloud-init", { ...downloads, otherContainerRuntimes }, "amd64"), {
            message: "downloads.otherContainerRuntimes requires containerRuntime",
        });
        requireRuntimeOf("cloud-init", { ...downloads, containerRuntime }, "amd64");
        requireRuntimeOf("ignition", downloads, "amd64");
        assert.throws(() => requireRuntimeOf("ignition", { ...downloads, containerRuntime }, "arm64"), {
            message: "downloads.arm64.containerRuntime requires os cloud-init",
        });
    });

    it("has the published checksum if it comes from where its project publishes it", () => {
        const url = "https://dl.k8s.io/v1.36.3/bin/linux/amd64/kubelet";
        assert.throws(() => check(kubelet("https://mirror.example/kubelet", url)), {
            message: `downloads.kubelet.sha256 must be ${kubeletChecksums["1.36.3"].amd64.sha256}, that of ${url} (got ${own})`,
        });
        const runc = publishedRunc("arm64");
        const containerd = { urls: ["https://mirror.example/containerd.tar.gz"], sha256: own };
        check({ containerRuntime: { containerd, runc } }, "arm64");
        assert.throws(() => check({ containerRuntime: { containerd, runc: { ...runc, sha256: other } } }, "arm64"), {
            message: `downloads.arm64.containerRuntime.runc.sha256 must be ${runc.sha256}, that of ${runc.urls[0]} (got ${other})`,
        });
    });

    it("is no kubelet of another version or for another architecture, by a known checksum", () => {
        const of = (version: "1.36.3" | "1.35.4", architecture: Architecture) => ({
            kubelet: {
                urls: ["https://mirror.example/kubelet"],
                sha256: kubeletChecksums[version][architecture].sha256,
            },
        });
        check(of("1.36.3", "amd64"));
        for (const { kubelet: wrong, is } of [
            { ...of("1.35.4", "amd64"), is: "kubelet 1.35.4 for amd64" },
            { ...of("1.36.3", "arm64"), is: "kubelet 1.36.3 for arm64" },
        ]) {
            assert.throws(() => check({ kubelet: wrong }), {
                message: `downloads.kubelet.sha256 must be that of kubelet 1.36.3 for amd64 (see https://dl.k8s.io/v1.36.3/bin/linux/amd64/kubelet.sha256, if https://mirror.example/kubelet is the official binary) (got ${wrong.sha256}, that of ${is})`,
            });
        }
    });

    it("is no kubelet of another version or for another architecture, by its URLs", () => {
        assert.throws(
            () => check(kubelet("http://mirror.example/a", "https://dl.k8s.io/v1.35.4/bin/linux/amd64/kubelet")),
            {
                message:
                    "downloads.kubelet.urls[1] must be of kubelet 1.36.3 (got https://dl.k8s.io/v1.35.4/bin/linux/amd64/kubelet)",
            },
        );
        assert.throws(() => check(kubelet("https://dl.k8s.io/v1.36.3/bin/linux/amd64/kubelet"), "arm64"), {
            message:
                "downloads.arm64.kubelet.urls[0] must be of a file for arm64 (got https://dl.k8s.io/v1.36.3/bin/linux/amd64/kubelet)",
        });
    });

    it("is no kubelet that kube-apiserver would not serve, though a node's annotation named it", () => {
        const others = (version: string) => ({
            [version]: { urls: ["https://mirror.example/kubelet"], sha256: other },
        });
        for (const version of ["1.33.1", "1.36.1", "1.37.0"]) check({ otherKubelets: others(version) });
        for (const version of ["1.32.9", "latest"]) {
            assert.throws(() => check({ otherKubelets: others(version) }), {
                message: `downloads.otherKubelets["${version}"] must be of a version at most 3 minor versions behind Kubernetes 1.36.3 (got ${version})`,
            });
        }
    });

    it("is not one kubelet for two versions", () => {
        const urls = ["https://mirror.example/v1.35.4/kubelet"];
        assert.throws(() => check({ otherKubelets: { "1.35.4": { urls, sha256: own } } }), {
            message:
                'downloads.otherKubelets["1.35.4"].sha256 must be that of kubelet 1.35.4 for amd64 ' +
                "(see https://dl.k8s.io/v1.35.4/bin/linux/amd64/kubelet.sha256, " +
                `if https://mirror.example/v1.35.4/kubelet is the official binary) (got ${own}, that of 1.36.3)`,
        });
    });

    it("is not two kubelets for the cluster's version", () => {
        const urls = ["https://mirror.example/kubelet"];
        check({ otherKubelets: { "1.36.3": { urls, sha256: own } } });
        assert.throws(() => check({ otherKubelets: { "1.36.3": { urls, sha256: other } } }), {
            message: `downloads.otherKubelets["1.36.3"].sha256 must be that of downloads.kubelet, ${own} (got ${other})`,
        });
    });

    it("are CNI plugins whose checksum is theirs, those of nodes' annotations too", () => {
        const urls = ["https://mirror.example/cni-plugins-linux-arm64-v1.9.1.tgz"];
        assert.throws(
            () => check({ cniPlugins: { urls, sha256: own } }),
            /^Error: downloads\.cniPlugins\.urls\[0\] must/,
        );
        assert.throws(
            () => check({ otherCniPlugins: [downloads.cniPlugins, { urls, sha256: own }] }),
            /^Error: downloads\.otherCniPlugins\[1\]\.urls\[0\] must/,
        );
    });

    it("is given by options of its architecture", () => {
        assert.deepEqual((["amd64", "arm64"] as const).map(downloadsOption), ["downloads", "downloads.arm64"]);
        const all = kubeletsOf({ ...downloads, otherKubelets: { "1.35.4": downloads.kubelet } }, "downloads", "1.36.3");
        assert.deepEqual(
            all.map(({ option, version }) => `${option} ${version}`),
            ["downloads.kubelet 1.36.3", 'downloads.otherKubelets["1.35.4"] 1.35.4'],
        );
    });
});
