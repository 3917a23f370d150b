import type { NodeDownloads } from "../../cluster/downloads";
import { invalid } from "../../cluster/validate";
import type { Architecture } from "./machines/instance-types";

/** Downloads of machines of one architecture. */
export type AwsMachineDownloads = Pick<
    NodeDownloads,
    "kubelet" | "otherKubelets" | "cniPlugins" | "otherCniPlugins" | "containerRuntime" | "otherContainerRuntimes"
>;

/** Where machines download the kubelet, CNI plugins and images, by architecture where it matters. */
export interface AwsDownloads extends Partial<AwsMachineDownloads>, Pick<NodeDownloads, "registryMirror"> {
    /**
     * Downloads of arm64 machines, instead of `kubelet` and `cniPlugins`, which are for amd64.
     * @default there are no arm64 machines
     */
    readonly arm64?: AwsMachineDownloads;
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
