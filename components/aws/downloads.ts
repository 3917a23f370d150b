import { type CloudDownloads, type CloudMachineDownloads, cloudDownloads } from "../../cluster/cloud-downloads";
import { type Download, type MachineDownloads, publishedCredentialProvider } from "../../cluster/downloads";
import { downloadsOption, requireArchitecture } from "../../cluster/machines/download-checks";
import { invalid, mustNot, requires } from "../../cluster/validate";
import type { Architecture } from "./machines/instance-types";

/** Downloads of arm64 machines. */
export interface AwsMachineDownloads extends CloudMachineDownloads {
    /**
     * With `ecrPulls`: the kubelet's credential provider of arm64 machines.
     * @default the pinned release, where Kubernetes publishes it @see docs/aws-machines.md#pulls-from-ecr
     */
    ecrCredentialProvider?: Download;
}

/** Downloads of machines, by architecture where it matters: `kubelet` and others are for amd64. */
export interface AwsDownloads extends CloudDownloads {
    /**
     * With `ecrPulls`: the kubelet's credential provider of amd64 machines.
     * @default the pinned release, where Kubernetes publishes it @see docs/aws-machines.md#pulls-from-ecr
     */
    ecrCredentialProvider?: Download;
    /** Downloads of arm64 machines. @default where their projects publish them */
    arm64?: AwsMachineDownloads;
}

/** Throws if a checksum is unknown, or downloads are of another architecture. */
export function downloadsFor(
    { arm64, ...amd64 }: AwsDownloads,
    version: string,
    architecture: Architecture,
    { ecrPulls = false }: { readonly ecrPulls?: boolean } = {},
): MachineDownloads {
    const sha256 = arm64?.kubelet?.sha256;
    if (sha256 !== undefined && sha256 === amd64.kubelet?.sha256) {
        throw mustNot("downloads.arm64.kubelet.sha256", "equal downloads.kubelet.sha256", sha256);
    }
    const { registryMirror } = amd64;
    const given = architecture === "arm64" ? { ...arm64, ...(registryMirror && { registryMirror }) } : amd64;
    const { ecrCredentialProvider = ecrPulls ? publishedCredentialProvider(architecture) : undefined } = given;
    if (ecrCredentialProvider) requireProvider(ecrCredentialProvider, architecture, ecrPulls);
    return {
        ...cloudDownloads(given, version, architecture),
        ...(ecrCredentialProvider && { ecrCredentialProvider }),
    };
}

function requireProvider({ urls, sha256 }: Download, architecture: Architecture, ecrPulls: boolean): void {
    const option = `${downloadsOption(architecture)}.ecrCredentialProvider`;
    if (!ecrPulls) throw requires(option, "ecrPulls", urls);
    urls.forEach((url, index) => {
        requireArchitecture(`${option}.urls[${index}]`, url, architecture);
    });
    const published = publishedCredentialProvider(architecture);
    if (urls.includes(published.urls[0]!) && sha256 !== published.sha256) {
        throw invalid(`${option}.sha256`, `${published.sha256}, that of ${published.urls[0]}`, sha256);
    }
}
