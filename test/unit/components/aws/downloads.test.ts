import assert from "node:assert/strict";
import { downloadsFor } from "../../../../components/aws/downloads";
import { downloads } from "../in-cluster/fixture";

const { kubelet, cniPlugins } = downloads;
const arm64 = { kubelet: { ...kubelet, sha256: "a".repeat(64) }, cniPlugins };

describe("what machines on AWS fetch", () => {
    it("is what is made for their architecture, from the mirror of all", () => {
        const registryMirror = "http://mirror.example:5000";
        const all = { kubelet, cniPlugins, arm64, registryMirror };
        assert.deepEqual(downloadsFor(all, "amd64"), { kubelet, cniPlugins, registryMirror });
        const otherCniPlugins = [cniPlugins];
        assert.deepEqual(
            downloadsFor({ ...all, arm64: { ...arm64, otherCniPlugins } }, "arm64").otherCniPlugins,
            otherCniPlugins,
        );
        const runtime = { containerd: cniPlugins, runc: kubelet };
        const runtimes = { containerRuntime: runtime, otherContainerRuntimes: [runtime] };
        assert.deepEqual(downloadsFor({ ...all, ...runtimes }, "amd64").otherContainerRuntimes, [runtime]);
        const otherKubelets = { "1.35.4": kubelet };
        assert.deepEqual(downloadsFor({ ...all, otherKubelets }, "amd64").otherKubelets, otherKubelets);
        assert.deepEqual(downloadsFor(all, "arm64"), { ...arm64, registryMirror });
    });

    it("is refused when there is nothing for it", () => {
        assert.throws(() => downloadsFor({ kubelet, cniPlugins }, "arm64"), {
            message: "downloads.arm64.kubelet must be set for arm64 instances, got nothing",
        });
        assert.throws(() => downloadsFor({ arm64 }, "amd64"), {
            message: "downloads.kubelet must be set for amd64 instances, got nothing",
        });
    });

    it("is refused when two architectures have one kubelet", () => {
        for (const architecture of ["amd64", "arm64"] as const) {
            assert.throws(() => downloadsFor({ kubelet, cniPlugins, arm64: { kubelet, cniPlugins } }, architecture), {
                message: `downloads.arm64.kubelet.sha256 must be different from downloads.kubelet.sha256, got ${kubelet.sha256}`,
            });
        }
    });
});
