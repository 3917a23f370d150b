import type { NodeDownloads } from "../../cluster/downloads";
import { invalid } from "../../cluster/validate";
import type { Architecture } from "./machines/instance-types";

/** What machines of an architecture fetch. */
export type AwsMachineDownloads = Pick<
    NodeDownloads,
    "kubelet" | "otherKubelets" | "cniPlugins" | "otherCniPlugins" | "containerRuntime" | "otherContainerRuntimes"
>;

/** Where machines fetch the kubelet, CNI plugins and images: by architecture what is made for one. */
export interface AwsDownloads extends Partial<AwsMachineDownloads>, Pick<NodeDownloads, "registryMirror"> {
    /** In the place of `kubelet` and `cniPlugins`, which are for amd64. @default there is no such machine */
    readonly arm64?: AwsMachineDownloads;
}

/** Throws if there is nothing for an architecture, or if what is for one is that of another. */
export function downloadsFor(
    { arm64, registryMirror, ...amd64 }: AwsDownloads,
    architecture: Architecture,
): NodeDownloads {
    if (arm64 !== undefined && arm64.kubelet.sha256 === amd64.kubelet?.sha256) {
        throw invalid("downloads.arm64.kubelet.sha256", "another than downloads.kubelet.sha256", arm64.kubelet.sha256);
    }
    const { kubelet, otherKubelets, cniPlugins, otherCniPlugins, containerRuntime, otherContainerRuntimes } =
        (architecture === "arm64" ? arm64 : amd64) ?? {};
    if (!kubelet || !cniPlugins) {
        const missing = `${architecture === "arm64" ? "downloads.arm64" : "downloads"}.${kubelet ? "cniPlugins" : "kubelet"}`;
        throw invalid(missing, `given with instances of ${architecture}`, "nothing");
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
