import { fileIndex, type KubernetesVersion } from "../../../artifacts";
import type { Download, NodeDownloads } from "../../../cluster/downloads";
import { localDownloads } from "../../../stacks/downloads";

/** Downloads of a machine with kubeadm for a version. */
export function kubeadmDownloads(
    cluster: string,
    kubernetesVersion: KubernetesVersion,
): { downloads: NodeDownloads; kubeadm: Download } {
    const downloads = localDownloads(cluster, { kubernetesVersion });
    const { sha256 } = fileIndex()[`kubernetes/v${kubernetesVersion}/kubeadm`];
    return { downloads, kubeadm: { urls: [downloads.kubelet.urls[0].replace(/[^/]*$/, "kubeadm")], sha256 } };
}
