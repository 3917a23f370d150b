import { fileIndex } from "../../artifacts/file-index";
import { runtimeFiles } from "../../artifacts/items";
import { type ContainerdVersion, type KubernetesVersion, versions } from "../../artifacts/lock";
import type { ContainerRuntime, Download } from "../../index";
import type { StackConfig } from "../../local/stack-config";

/** The domain that a simulated cloud's DNS serves. */
export const simulatedDomain = "tradewind.test";

/** The network's mirror stands for the internet; and what is of the whole computer stays as it is. */
export function whatContainersNeed(cluster: string, kubernetesVersion: KubernetesVersion): StackConfig {
    const cni = `v${versions.cniPlugins}`;
    return {
        keepsConntrackLimits: true,
        downloads: {
            kubelet: kubeletFor(cluster, kubernetesVersion),
            cniPlugins: fromMirror(cluster, `cni-plugins/${cni}/cni-plugins-linux-amd64-${cni}.tgz`),
            registryMirror: `http://${mirrorOf(cluster)}:5000`,
        },
    };
}

/** containerd and runc for machines whose image has none, as the mirror of a cluster's network has them. */
export function runtimeFor(cluster: string, version?: ContainerdVersion): ContainerRuntime {
    const { containerd, runc } = runtimeFiles(version);
    return { containerd: fromMirror(cluster, containerd), runc: fromMirror(cluster, runc) };
}

/** The kubelet of a version, as the mirror of a cluster's network has it. */
export function kubeletFor(cluster: string, version: KubernetesVersion): Download {
    return fromMirror(cluster, `kubernetes/v${version}/kubelet`);
}

function fromMirror(cluster: string, path: string): Download {
    return { urls: [`http://${mirrorOf(cluster)}:8080/${path}`], sha256: fileIndex()[path]!.sha256 };
}

function mirrorOf(cluster: string): string {
    return `mirror.${cluster}.${simulatedDomain}`;
}
