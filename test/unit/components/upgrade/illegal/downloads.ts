import { publishedKubelet } from "../../../../../cluster/downloads";
import { cniPlugins, type Situations, sum } from "./situation";

const next = { kubernetesVersion: "1.36.3" };
const same = { kubernetesVersion: "1.35.4" };
/** With the checksum of 1.35.4. */
const before = { urls: [publishedKubelet("1.36.3", "amd64")], sha256: sum("4") };
const mirrored = { urls: ["https://mirror.example/kubelet"], sha256: sum("4") };
const runtime = (containerd: string, runc: string) => ({
    containerRuntime: {
        containerd: {
            urls: [`https://mirror.example/containerd-static-${containerd}-linux-amd64.tar.gz`],
            sha256: sum("7"),
        },
        runc: { urls: [`https://mirror.example/v${runc}/runc.amd64`], sha256: sum("8") },
    },
});

/** Changes whose files nodes would refuse or not check. */
export const illegalDownloads: Situations = {
    "another version with the previous checksum": { desired: next, desiredDownloads: { amd64: { kubelet: before } } },
    "the same from a mirror": { desired: next, desiredDownloads: { amd64: { kubelet: mirrored } } },
    "another version for arm64 with the previous checksum": {
        toldDownloads: { arm64: {} },
        desired: next,
        desiredDownloads: { arm64: { kubelet: { urls: [publishedKubelet("1.36.3", "arm64")], sha256: sum("4") } } },
    },
    "back, with the checksum of the newer patch": {
        reported: next,
        desired: { kubernetesVersion: "1.36.2" },
        desiredDownloads: { amd64: { kubelet: { urls: [publishedKubelet("1.36.2", "amd64")], sha256: sum("3") } } },
    },
    "another checksum with the same version": {
        desired: same,
        desiredDownloads: { amd64: { kubelet: { ...mirrored, sha256: sum("b") } } },
    },
    "an additional kubelet with the checksum of the cluster's": {
        desired: next,
        desiredDownloads: { amd64: { otherKubelets: { "1.35.3": mirrored } } },
    },
    "other CNI plugins with the previous checksum": {
        desired: same,
        desiredDownloads: { amd64: { cniPlugins: cniPlugins("1.10.0", "c") } },
    },
    "another containerd with the previous checksum": {
        toldDownloads: { amd64: runtime("2.4.2", "1.4.3") },
        desired: same,
        desiredDownloads: { amd64: runtime("2.4.3", "1.4.3") },
    },
    "another runc with the previous checksum": {
        toldDownloads: { amd64: runtime("2.4.2", "1.4.3") },
        desired: same,
        desiredDownloads: { amd64: runtime("2.4.2", "1.4.4") },
    },
    "all of these, and a skipped minor version": {
        reported: { kubernetesVersion: "1.34.4" },
        desired: next,
        desiredDownloads: { amd64: { kubelet: before, cniPlugins: cniPlugins("1.10.0", "c") } },
    },
};
