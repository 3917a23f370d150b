import assert from "node:assert/strict";
import { ecrCredentialProvider, kubernetes, parts } from "../../../../../artifacts/lock";
import { requireReachable } from "../../../../../components/aws/network/endpoints";
import { versions } from "../../../../../versions";

const sha256 = "0".repeat(64);
const near = {
    kubelet: { urls: ["https://artifacts.s3.eu-central-1.amazonaws.com/kubelet"], sha256 },
    cniPlugins: { urls: ["http://mirror.internal/cni-plugins.tgz"], sha256 },
    registryMirror: "https://mirror.internal:5000",
};

describe("what nodes without a way out fetch", () => {
    it("may come from a bucket or host that may be reachable, whether or not a public URL is listed too", () => {
        requireReachable(near, "amd64");
        const urls = ["https://dl.k8s.io/v1.36.3/bin/linux/amd64/kubelet", ...near.kubelet.urls];
        requireReachable({ ...near, kubelet: { urls, sha256 } }, "amd64");
    });

    it("is refused from where the lock file says that it is published", () => {
        const url = (template: string) => template.replaceAll("{arch}", "arm64").replaceAll("{binary}", "kubelet");
        const published = {
            kubelet: url(kubernetes(versions.kubernetes).official!.url),
            cniPlugins: url(parts.cniPlugins.official!.url),
            ecrCredentialProvider: url(ecrCredentialProvider.official!.url),
        };
        for (const [name, from] of Object.entries(published)) {
            assert.throws(() => requireReachable({ ...near, [name]: { urls: [from], sha256 } }, "arm64"), {
                message: `downloads.arm64.${name}.urls must be in a bucket of the region or on a host of a connected network with natGateways none (got ["${from}"])`,
            });
        }
    });

    it("is refused so of what a node's annotation may name, too", () => {
        const far = { urls: ["https://dl.k8s.io/v1.35.4/bin/linux/amd64/kubelet"], sha256 };
        assert.throws(
            () => requireReachable({ ...near, otherKubelets: { "1.35.4": far } }, "amd64"),
            /^Error: downloads\.otherKubelets\["1\.35\.4"\]\.urls must be in a bucket/,
        );
        assert.throws(
            () => requireReachable({ ...near, otherCniPlugins: [near.cniPlugins, far] }, "amd64"),
            /^Error: downloads\.otherCniPlugins\[1\]\.urls must be in a bucket/,
        );
    });

    it("is refused so of a container runtime, too", () => {
        const far = { urls: ["https://github.com/containerd/containerd.tar.gz"], sha256 };
        const [whole, half] = [near.cniPlugins, far].map((containerd) => ({ containerd, runc: near.kubelet }));
        requireReachable({ ...near, containerRuntime: whole! }, "amd64");
        assert.throws(
            () => requireReachable({ ...near, containerRuntime: half! }, "amd64"),
            /^Error: downloads\.containerRuntime\.containerd\.urls must be in a bucket/,
        );
        assert.throws(
            () => requireReachable({ ...near, containerRuntime: whole!, otherContainerRuntimes: [half!] }, "amd64"),
            /^Error: downloads\.otherContainerRuntimes\[0\]\.containerd\.urls must be in a bucket/,
        );
    });

    it("is refused without a registry", () => {
        const { registryMirror, ...others } = near;
        assert.throws(() => requireReachable(others, "amd64"), {
            message:
                "natGateways none requires downloads.registryMirror: a registry in a connected network that mirrors every image",
        });
    });
});
