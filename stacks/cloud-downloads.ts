import { KUBERNETES_VERSIONS, versions } from "../artifacts/lock";
import { requireOneOf } from "../components/cluster/validate";
import { downloadsOption } from "../components/nodes/download-checks";
import {
    type Architecture,
    publishedCniPlugins,
    publishedKubelet,
    publishedRuntime,
} from "../components/nodes/published";
import type { AwsDownloads, AwsMachineDownloads, ContainerRuntime, Download, NodeDownloads } from "../index";
import type { AwsDownloadsConfig, CloudDownloads } from "./config";

/** What machines of a cloud fetch: from where it is published, unless the configuration names another place. */
export function cloudDownloads(config: CloudDownloads, kubernetesVersion?: string): NodeDownloads {
    const { registryMirror, ...machine } = config;
    return { ...machineDownloads(machine, "amd64", kubernetesVersion), ...(registryMirror && { registryMirror }) };
}

/** The same of AWS, where there are machines of two architectures. */
export function awsDownloads(config: AwsDownloadsConfig, kubernetesVersion?: string): AwsDownloads {
    const { arm64, registryMirror, kubelet, ...others } = config;
    return {
        ...(kubelet && machineDownloads({ kubelet, ...others }, "amd64", kubernetesVersion)),
        ...(arm64 && { arm64: machineDownloads(arm64, "arm64", kubernetesVersion) }),
        ...(registryMirror && { registryMirror }),
    };
}

function machineDownloads(
    given: Omit<CloudDownloads, "registryMirror">,
    arch: Architecture,
    kubernetesVersion: string = versions.kubernetes,
): AwsMachineDownloads {
    const { kubelet, otherKubelets, cniPlugins, otherCniPlugins, containerRuntime, otherContainerRuntimes } = given;
    const version = requireOneOf("kubernetesVersion", KUBERNETES_VERSIONS, kubernetesVersion);
    const published = publishedCniPlugins(arch);
    const others = Object.entries(otherKubelets ?? {}).map(([other, download]) => {
        requireOneOf(`a key of ${downloadsOption(arch)}.otherKubelets`, KUBERNETES_VERSIONS, other);
        return [other, kubeletOf(other, arch, download)];
    });
    return {
        kubelet: kubeletOf(version, arch, kubelet),
        ...(others.length > 0 && { otherKubelets: Object.fromEntries(others) }),
        cniPlugins: cniPlugins ?? { urls: published.urls, sha256: published.sha256 },
        ...(otherCniPlugins && { otherCniPlugins }),
        ...(containerRuntime && { containerRuntime: runtimeOf(arch, containerRuntime) }),
        ...(otherContainerRuntimes && {
            otherContainerRuntimes: otherContainerRuntimes.map((each) => runtimeOf(arch, each)),
        }),
    };
}

function runtimeOf(arch: Architecture, given: NonNullable<CloudDownloads["containerRuntime"]>): ContainerRuntime {
    const published = publishedRuntime(arch);
    const of = (name: keyof ContainerRuntime): Download => ({
        urls: given[name].urls ?? [published[name]],
        sha256: given[name].sha256,
    });
    return { containerd: of("containerd"), runc: of("runc") };
}

function kubeletOf(version: string, arch: Architecture, { urls, sha256 }: CloudDownloads["kubelet"]): Download {
    return { urls: urls ?? [publishedKubelet(version, arch)], sha256 };
}
