import {
    type Download,
    type MachineDownloads,
    type OtherDownloads,
    publishedCredentialProvider,
} from "../../cluster/downloads";
import { downloadsOption, requireArchitecture } from "../../cluster/machines/download-checks";
import { invalid } from "../../cluster/validate";
import type { Architecture } from "./machines/instance-types";

// Without `Pick` and `Partial`, which Pulumi's analyzer of `plugin/index.ts` cannot read.

/** Downloads of machines of one architecture. */
export interface AwsMachineDownloads extends OtherDownloads {
    /** The kubelet of the cluster's version. */
    kubelet: Download;
    /** CNI plugins of new and existing machines. */
    cniPlugins: Download;
    /**
     * With `ecrPulls`: the kubelet's credential provider.
     * @default the pinned release, where Kubernetes publishes it @see docs/aws-machines.md#pulls-from-ecr
     */
    ecrCredentialProvider?: Download;
}

/** Where machines download the kubelet, CNI plugins and images, by architecture where it matters. */
export interface AwsDownloads extends OtherDownloads {
    /** The kubelet of amd64 machines. @default there are no amd64 machines */
    kubelet?: Download;
    /** CNI plugins of amd64 machines. @default there are no amd64 machines */
    cniPlugins?: Download;
    /**
     * With `ecrPulls`: the kubelet's credential provider of amd64 machines.
     * @default the pinned release, where Kubernetes publishes it @see docs/aws-machines.md#pulls-from-ecr
     */
    ecrCredentialProvider?: Download;
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
    { ecrPulls: hasEcr = false }: { readonly ecrPulls?: boolean } = {},
): MachineDownloads {
    if (arm64 !== undefined && arm64.kubelet.sha256 === amd64.kubelet?.sha256) {
        throw invalid(
            "downloads.arm64.kubelet.sha256",
            "different from downloads.kubelet.sha256",
            arm64.kubelet.sha256,
        );
    }
    const own = (architecture === "arm64" ? arm64 : amd64) ?? {};
    const { kubelet, otherKubelets, cniPlugins, otherCniPlugins, containerRuntime, otherContainerRuntimes } = own;
    const { ecrCredentialProvider = hasEcr ? publishedCredentialProvider(architecture) : undefined } = own;
    if (ecrCredentialProvider) requireProvider(ecrCredentialProvider, architecture, hasEcr);
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
        ...(ecrCredentialProvider && { ecrCredentialProvider }),
        ...(registryMirror && { registryMirror }),
    };
}

function requireProvider({ urls, sha256 }: Download, architecture: Architecture, hasEcr: boolean): void {
    const option = `${downloadsOption(architecture)}.ecrCredentialProvider`;
    if (!hasEcr) throw invalid(option, "omitted without ecrPulls", urls);
    urls.forEach((url, index) => {
        requireArchitecture(`${option}.urls[${index}]`, url, architecture);
    });
    const published = publishedCredentialProvider(architecture);
    if (urls.includes(published.urls[0]!) && sha256 !== published.sha256) {
        throw invalid(`${option}.sha256`, `${published.sha256}, that of ${published.urls[0]}`, sha256);
    }
}
