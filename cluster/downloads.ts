import { type KubernetesVersion, kubernetes, parts, versions } from "../artifacts/lock";

/** A file that machines download. URLs are tried in order; a file with another hash is refused. */
export interface Download {
    readonly urls: readonly string[];
    /** SHA-256 as lower-case hex. */
    readonly sha256: string;
}

/** The container runtime: containerd 2 or newer. */
export interface ContainerRuntime {
    /** A release archive of containerd, with its binaries in `bin`. */
    readonly containerd: Download;
    /** The runc binary. */
    readonly runc: Download;
}

/** Where machines download what their OS image lacks. */
export interface NodeDownloads {
    readonly kubelet: Download;
    /**
     * Additional kubelet versions, which a node's annotation `tradewind.dev/kubelet-version` can select.
     * @default none
     */
    readonly otherKubelets?: Readonly<Record<string, Download>>;
    readonly cniPlugins: Download;
    /**
     * Additional archives of CNI plugins, which a node's annotation `tradewind.dev/cni-plugins` can select by SHA-256.
     * @default none
     */
    readonly otherCniPlugins?: readonly Download[];
    /** For new and existing machines whose OS image has none, with cloud-init. @default the ones in the image */
    readonly containerRuntime?: ContainerRuntime;
    /**
     * Additional container runtimes, which a node's annotation `tradewind.dev/container-runtime` can select by SHA-256.
     * @default none
     */
    readonly otherContainerRuntimes?: readonly ContainerRuntime[];
    /**
     * Base URL of a registry that mirrors every image, such as `http://mirror.example:5000`.
     * @default - each image's own registry
     */
    readonly registryMirror?: string;
}

/** Architectures of binaries, in Kubernetes' spelling. */
export const architectures = ["amd64", "arm64"] as const;
export type Architecture = (typeof architectures)[number];

/** Where Kubernetes publishes a kubelet; its SHA-256 is at the same URL with `.sha256`. */
export function publishedKubelet(version: string, architecture: Architecture): string {
    return filled(kubernetes(version as KubernetesVersion).official!.url, architecture);
}

/** The CNI plugins that this release pins, where they are published. */
export function publishedCniPlugins(architecture: Architecture): Download & { readonly version: string } {
    const { url, sha256 } = parts.cniPlugins.official!;
    return { urls: [filled(url, architecture)], sha256: sha256![architecture]!, version: versions.cniPlugins };
}

/** The containerd and runc that this release pins, where they are published. */
export function publishedRuntime(architecture: Architecture): Record<keyof ContainerRuntime, string> {
    return {
        containerd: filled(parts.containerd.official!.url, architecture),
        runc: `https://github.com/opencontainers/runc/releases/download/v${versions.publishedRunc}/runc.${architecture}`,
    };
}

function filled(template: string, architecture: Architecture): string {
    return template.replaceAll("{arch}", architecture).replaceAll("{binary}", "kubelet");
}
