import type { Download, NodeDownloads, OtherDownloads } from "../../cluster/downloads";
import { invalid } from "../../cluster/validate";
import type { Architecture } from "./machines/instance-types";

// Without `Pick` and `Partial`, which Pulumi's analyzer of `plugin/index.ts` cannot read.

/** Downloads of machines of one architecture. */
export interface AwsMachineDownloads extends OtherDownloads {
    /** The kubelet of the cluster's version. */
    kubelet: Download;
    /** CNI plugins of new and existing machines. */
    cniPlugins: Download;
}

/** Where machines download the kubelet, CNI plugins and images, by architecture where it matters. */
export interface AwsDownloads extends OtherDownloads {
    /** The kubelet of amd64 machines. @default there are no amd64 machines */
    kubelet?: Download;
    /** CNI plugins of amd64 machines. @default there are no amd64 machines */
    cniPlugins?: Download;
    /**
     * Downloads of arm64 machines, instead of `kubelet` and `cniPlugins`, which are for amd64.
     * @default there are no arm64 machines
     */
    arm64?: AwsMachineDownloads;
    /**
     * Base URL of a registry that mirrors every image, such as `http://mirror.example:5000`.
     * @default each image's own registry
     */
    registryMirror?: string;
}

/** Throws if an architecture has no downloads, or those of another one. */
export function downloadsFor(
    { arm64, registryMirror, ...amd64 }: AwsDownloads,
    architecture: Architecture,
): NodeDownloads {
    if (arm64 !== undefined && arm64.kubelet.sha256 === amd64.kubelet?.sha256) {
        throw invalid(
            "downloads.arm64.kubelet.sha256",
            "different from downloads.kubelet.sha256",
            arm64.kubelet.sha256,
        );
    }
    const { kubelet, otherKubelets, cniPlugins, otherCniPlugins, containerRuntime, otherContainerRuntimes } =
        (architecture === "arm64" ? arm64 : amd64) ?? {};
    if (!kubelet || !cniPlugins) {
        const missing = `${architecture === "arm64" ? "downloads.arm64" : "downloads"}.${kubelet ? "cniPlugins" : "kubelet"}`;
        throw invalid(missing, `set for ${architecture} instances`, "nothing");
    }
    return {
        kubelet,
        ...(otherKubelets && { otherKubelets }),
        cniPlugins,
        ...(otherCniPlugins && { otherCniPlugins }),
        ...(containerRuntime && { containerRuntime }),
        ...(otherContainerRuntimes && { otherContainerRuntimes }),
        ...(registryMirror && { registryMirror }),
    };
}
