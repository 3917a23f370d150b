import assert from "node:assert/strict";
import { type Download, type NodeDownloads, publishedKubelet } from "../../../../cluster/downloads";
import { downloadProblems, isReported, type PoolDownloads } from "../../../../components/upgrade/download-problems";
import type { NodeFiles } from "../../../../components/upgrade/running-downloads";

const sum = (digit: string) => digit.repeat(64);
const cni = (version: string, digit: string): Download => ({
    urls: [`https://mirror.example/cni-plugins-linux-amd64-v${version}.tgz`],
    sha256: sum(digit),
});

const runtime = (containerd: string, digit: string, runc = "1.4.3", runcDigit = "8") => ({
    containerd: {
        urls: [`https://mirror.example/containerd-static-${containerd}-linux-amd64.tar.gz`],
        sha256: sum(digit),
    },
    runc: { urls: [`https://mirror.example/v${runc}/runc.amd64`], sha256: sum(runcDigit) },
});

/** A pool whose kubelet comes from Kubernetes. */
function pool(version: string, digit: string, more: Partial<PoolDownloads & NodeDownloads> = {}): PoolDownloads {
    const { architecture = "amd64", pool: name = "controller", ...downloads } = more;
    const kubelet = { urls: [publishedKubelet(version, architecture)], sha256: sum(digit) };
    return { pool: name, architecture, version, downloads: { kubelet, cniPlugins: cni("1.9.1", "c"), ...downloads } };
}

/** A node that matches `pool`. */
function node(version: string, digit: string, more: Partial<NodeFiles> = {}): NodeFiles {
    const { kubelet, cniPlugins } = pool(version, digit).downloads;
    return { node: "c-controller-0", architecture: "amd64", kubelet: { version, ...kubelet }, cniPlugins, ...more };
}

const older = node("1.35.4", "a");
const mirrored = { urls: ["https://mirror.example/kubelet"], sha256: sum("a") };

describe("checksums of what machines fetch", () => {
    it("are refused once for all pools of an architecture", () => {
        assert.equal(downloadProblems([pool("1.36.3", "a"), pool("1.36.3", "a", { pool: "a" })], [older]).length, 1);
    });

    it("are accepted for another version, for more pools and for unknown files", () => {
        const legal: Record<string, readonly [PoolDownloads[], NodeFiles[]]> = {
            "another version with another checksum": [[pool("1.36.3", "b")], [older]],
            "no node is known": [[pool("1.36.3", "a")], []],
            "a node whose kubelet is not known": [[pool("1.36.3", "a")], [node("1.35.4", "a", { kubelet: undefined })]],
            "a pool of another architecture": [
                [pool("1.35.4", "a"), pool("1.35.4", "e", { pool: "a", architecture: "arm64" })],
                [older],
            ],
            "an upgrade that was broken off goes on": [[pool("1.36.3", "b")], [node("1.36.3", "b"), older]],
            "and back": [[pool("1.35.4", "a")], [node("1.36.3", "b"), older]],
            "the URL of a mirror": [[pool("1.35.4", "a", { kubelet: mirrored })], [older]],
            "other CNI plugins with another checksum": [
                [pool("1.35.4", "a", { cniPlugins: cni("1.10.0", "d") })],
                [older],
            ],
            "CNI plugins of another build": [[pool("1.35.4", "a", { cniPlugins: cni("1.9.1", "d") })], [older]],
            "another containerd with another checksum": [
                [pool("1.35.4", "a", { containerRuntime: runtime("2.4.3", "9") })],
                [node("1.35.4", "a", { containerRuntime: runtime("2.4.2", "7") })],
            ],
            "a containerd where images had their own": [
                [pool("1.35.4", "a", { containerRuntime: runtime("2.4.3", "9") })],
                [older],
            ],
            "the same CNI plugins under a name without a version": [
                [pool("1.35.4", "a", { cniPlugins: { urls: ["https://mirror.example/cni"], sha256: sum("c") } })],
                [older],
            ],
        };
        for (const [what, [desired, running]] of Object.entries(legal)) {
            assert.deepEqual(downloadProblems(desired, running), [], what);
        }
    });

    it("are unchanged if agents have the same, whatever the source of kubelets", () => {
        const desired = pool("1.36.3", "b", { otherKubelets: { "1.35.4": mirrored } });
        const { cniPlugins } = desired.downloads;
        const reported = {
            desired: "1.36.3",
            kubelets: { "1.36.3": { ...mirrored, sha256: sum("b") }, "1.35.4": mirrored },
            cniPlugins,
        };
        assert.equal(isReported(desired, reported), true);
        for (const other of [
            undefined,
            { ...reported, desired: "1.35.4" },
            { ...reported, kubelets: { "1.36.3": mirrored, "1.35.4": mirrored } },
            { ...reported, kubelets: { "1.36.3": reported.kubelets["1.36.3"] } },
            { ...reported, cniPlugins: cni("1.9.1", "d") },
            { ...reported, cniPlugins: cni("1.10.0", "c") },
            { ...reported, containerRuntime: runtime("2.4.2", "7") },
        ]) {
            assert.equal(isReported(desired, other), false, JSON.stringify(other));
        }
    });
});
