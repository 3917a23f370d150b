import { KUBERNETES_VERSIONS, versions } from "../versions";
import {
    cniPluginsChecksums,
    ecrCredentialProviderChecksums,
    kubeletChecksums,
    type Published,
    runcChecksums,
} from "../versions/published-checksums";
import { cniPluginsUrl, containerdUrl, ecrCredentialProviderUrl, kubernetesUrl, runcUrl } from "../versions/urls";

/** A file that machines download. URLs are tried in order; a file with another hash is refused. */
export interface Download {
    /** URLs of the file, tried in order. @minItems 1 */
    urls: string[];
    /** SHA-256 as lower-case hex. @format sha256 */
    sha256: string;
}

/** The container runtime: containerd 2 or newer. */
export interface ContainerRuntime {
    /** A release archive of containerd, with its binaries in `bin`. */
    containerd: Download;
    /** The runc binary. */
    runc: Download;
}

/** What machines may download in addition to the kubelet and CNI plugins that they start with. */
export interface OtherDownloads {
    /**
     * Additional kubelet versions, which a node's annotation `tradewind.dev/kubelet-version` can select.
     * @default none @see docs/kubelets.md#one-node-first
     */
    otherKubelets?: Record<string, Download>;
    /**
     * Additional archives of CNI plugins, which a node's annotation `tradewind.dev/cni-plugins` can select by SHA-256.
     * @default none @see docs/runtime-upgrades.md#cni-plugins
     */
    otherCniPlugins?: Download[];
    /**
     * containerd and runc for new and existing machines whose OS image has none, with cloud-init.
     * @default the ones in the image @see docs/configuration.md#container-runtime
     */
    containerRuntime?: ContainerRuntime;
    /**
     * Additional container runtimes, which a node's annotation `tradewind.dev/container-runtime` can select by SHA-256.
     * @default none @see docs/runtime-upgrades.md#containerd
     */
    otherContainerRuntimes?: ContainerRuntime[];
}

/** Where machines download what their OS image lacks. */
export interface NodeDownloads extends OtherDownloads {
    /** The kubelet of the cluster's version. */
    kubelet: Download;
    /** CNI plugins of new and existing machines. */
    cniPlugins: Download;
    /**
     * Base URL of a registry that mirrors every image, such as `http://mirror.example:5000`.
     * @default each image's own registry
     */
    registryMirror?: string;
}

/** What machines of one kind download. */
export interface MachineDownloads extends NodeDownloads {
    /** The kubelet's credential provider for ECR. @default the kubelet pulls without passwords of its own */
    ecrCredentialProvider?: Download;
}

/** Architectures of binaries, in Kubernetes' spelling. */
export const architectures = ["amd64", "arm64"] as const;
export type Architecture = (typeof architectures)[number];

/** Where Kubernetes publishes a kubelet; its SHA-256 is at the same URL with `.sha256`. */
export function publishedKubelet(version: string, architecture: Architecture): string {
    return filled(kubernetesUrl(version), architecture);
}

/** The SHA-256 of a published kubelet. @returns undefined if this release of Tradewind does not know it */
export function knownKubeletChecksum(version: string, architecture: Architecture): string | undefined {
    const known: Readonly<Partial<Record<string, Published>>> = kubeletChecksums;
    return known[version]?.[architecture].sha256;
}

/** The published kubelet with a SHA-256, if it is of a tested version. */
export function kubeletWithChecksum(sha256: string): { version: string; architecture: Architecture } | undefined {
    return KUBERNETES_VERSIONS.flatMap((version) =>
        architectures.map((architecture) => ({ version, architecture })),
    ).find(({ version, architecture }) => knownKubeletChecksum(version, architecture) === sha256);
}

/** The CNI plugins that this release pins, where they are published. */
export function publishedCniPlugins(architecture: Architecture): Download & { readonly version: string } {
    const { sha256 } = cniPluginsChecksums[architecture];
    return { urls: [filled(cniPluginsUrl, architecture)], sha256, version: versions.cniPlugins };
}

/** The kubelet's credential provider for ECR that this release pins, where it is published. */
export function publishedCredentialProvider(architecture: Architecture): Download {
    const sha256 = ecrCredentialProviderChecksums[architecture];
    return { urls: [filled(ecrCredentialProviderUrl, architecture)], sha256 };
}

/** Where the containerd that this release pins is published; its SHA-256 is at the same URL with `.sha256sum`. */
export function publishedContainerd(architecture: Architecture): string {
    return filled(containerdUrl(versions.containerd), architecture);
}

/** The runc that this release pins, where it is published. */
export function publishedRunc(architecture: Architecture): Download {
    return { urls: [filled(runcUrl, architecture, "runc")], sha256: runcChecksums[architecture].sha256 };
}

function filled(template: string, architecture: Architecture, binary = "kubelet"): string {
    return template.replaceAll("{arch}", architecture).replaceAll("{binary}", binary);
}
