import { runtimeFiles } from "../../artifacts/items";
import { fileIndex } from "../../cache";
import type { ContainerRuntime, Download } from "../../index";
import type { StackConfig } from "../../local/stack-config";
import { type ContainerdVersion, type KubernetesVersion, versions } from "../../versions";

/** The domain served by a simulated cloud's DNS. */
export const simulatedDomain = "tradewind.test";

/** The network's mirror stands for the internet; host-wide settings are unchanged. */
export function whatContainersNeed(cluster: string, kubernetesVersion: KubernetesVersion): StackConfig {
    const cni = `v${versions.cniPlugins}`;
    return {
        keepConntrackLimits: true,
        // The mirror has images that were built here, with other digests than the published ones.
        imageDigests: false,
        downloads: {
            kubelet: kubeletFor(cluster, kubernetesVersion),
            cniPlugins: fromMirror(cluster, `cni-plugins/${cni}/cni-plugins-linux-amd64-${cni}.tgz`),
            registryMirror: `http://${mirrorOf(cluster)}:5000`,
        },
    };
}

/** containerd and runc for machines whose image lacks them, on the mirror of a cluster's network. */
export function runtimeFor(cluster: string, version?: ContainerdVersion): ContainerRuntime {
    const { containerd, runc } = runtimeFiles(version);
    return { containerd: fromMirror(cluster, containerd), runc: fromMirror(cluster, runc) };
}

/** The kubelet of a version, on the mirror of a cluster's network. */
export function kubeletFor(cluster: string, version: KubernetesVersion): Download {
    return fromMirror(cluster, `kubernetes/v${version}/kubelet`);
}

/** The kubelet's credential provider for ECR, on the mirror of a cluster's network. */
export function credentialProviderFor(cluster: string): Download {
    return fromMirror(cluster, `ecr-credential-provider/v${versions.ecrCredentialProvider}/ecr-credential-provider`);
}

function fromMirror(cluster: string, path: string): Download {
    return { urls: [`http://${mirrorOf(cluster)}:8080/${path}`], sha256: fileIndex()[path]!.sha256 };
}

function mirrorOf(cluster: string): string {
    return `mirror.${cluster}.${simulatedDomain}`;
}
