import { type KubernetesVersion, kubernetes, parts, versions } from "../artifacts/lock";

/** A file that a machine fetches: tried from each URL in turn, and refused when the hash differs. */
export interface Download {
    readonly urls: readonly string[];
    /** SHA-256 as lower-case hex. */
    readonly sha256: string;
}

/** What runs containers: version 2 of containerd or newer. */
export interface ContainerRuntime {
    /** An archive as containerd's project releases it, its programs in `bin`. */
    readonly containerd: Download;
    /** The program itself. */
    readonly runc: Download;
}

/** Where machines get what their OS image does not bring. */
export interface NodeDownloads {
    readonly kubelet: Download;
    /** Kubelets of other versions than the cluster's, which the annotation `tradewind.dev/kubelet-version` of a node may name. @default none */
    readonly otherKubelets?: Readonly<Record<string, Download>>;
    readonly cniPlugins: Download;
    /** Other archives of CNI plugins, which the annotation `tradewind.dev/cni-plugins` of a node may name by their SHA-256. @default none */
    readonly otherCniPlugins?: readonly Download[];
    /** Of machines whose OS image has none, by cloud-init, those that are there too. @default the image's own */
    readonly containerRuntime?: ContainerRuntime;
    /** Others, which the annotation `tradewind.dev/container-runtime` of a node may name by their SHA-256. @default none */
    readonly otherContainerRuntimes?: readonly ContainerRuntime[];
    /** Base URL of a registry that answers for every image, such as `http://mirror.example:5000`. @default - each image's own registry */
    readonly registryMirror?: string;
}

/** What binaries are made for, as Kubernetes calls it. */
export const architectures = ["amd64", "arm64"] as const;
export type Architecture = (typeof architectures)[number];

/** Where Kubernetes publishes a kubelet; its SHA-256 is beside, under the same URL with `.sha256`. */
export function publishedKubelet(version: string, architecture: Architecture): string {
    return filled(kubernetes(version as KubernetesVersion).official!.url, architecture);
}

/** The CNI plugins that this release has pinned, where they are published. */
export function publishedCniPlugins(architecture: Architecture): Download & { readonly version: string } {
    const { url, sha256 } = parts.cniPlugins.official!;
    return { urls: [filled(url, architecture)], sha256: sha256![architecture]!, version: versions.cniPlugins };
}

/** containerd and runc that go well with this release, where they are published. */
export function publishedRuntime(architecture: Architecture): Record<keyof ContainerRuntime, string> {
    return {
        containerd: filled(parts.containerd.official!.url, architecture),
        runc: `https://github.com/opencontainers/runc/releases/download/v${versions.publishedRunc}/runc.${architecture}`,
    };
}

function filled(template: string, architecture: Architecture): string {
    return template.replaceAll("{arch}", architecture).replaceAll("{binary}", "kubelet");
}
