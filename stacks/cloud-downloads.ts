import { KUBERNETES_VERSIONS, versions } from "../artifacts/lock";
import { requireOneOf } from "../components/cluster/validate";
import { type Architecture, publishedCniPlugins, publishedKubelet } from "../components/nodes/published";
import type { AwsDownloads, AwsMachineDownloads, NodeDownloads } from "../index";
import type { AwsDownloadsConfig, CloudDownloads } from "./config";

/** What machines of a cloud fetch: from where it is published, unless the configuration names another place. */
export function cloudDownloads(config: CloudDownloads, kubernetesVersion?: string): NodeDownloads {
    const { registryMirror, ...machine } = config;
    return { ...machineDownloads(machine, "amd64", kubernetesVersion), ...(registryMirror && { registryMirror }) };
}

/** The same of AWS, where there are machines of two architectures. */
export function awsDownloads(config: AwsDownloadsConfig, kubernetesVersion?: string): AwsDownloads {
    const { arm64, registryMirror, kubelet, cniPlugins, otherCniPlugins } = config;
    return {
        ...(kubelet && machineDownloads({ kubelet, cniPlugins, otherCniPlugins }, "amd64", kubernetesVersion)),
        ...(arm64 && { arm64: machineDownloads(arm64, "arm64", kubernetesVersion) }),
        ...(registryMirror && { registryMirror }),
    };
}

function machineDownloads(
    { kubelet, cniPlugins, otherCniPlugins }: Omit<CloudDownloads, "registryMirror">,
    arch: Architecture,
    kubernetesVersion: string = versions.kubernetes,
): AwsMachineDownloads {
    const version = requireOneOf("kubernetesVersion", KUBERNETES_VERSIONS, kubernetesVersion);
    const { urls, sha256 } = publishedCniPlugins(arch);
    return {
        kubelet: { urls: kubelet.urls ?? [publishedKubelet(version, arch)], sha256: kubelet.sha256 },
        cniPlugins: cniPlugins ?? { urls, sha256 },
        ...(otherCniPlugins && { otherCniPlugins }),
    };
}
