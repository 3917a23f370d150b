import { type KubernetesVersion, kubernetes, parts, versions } from "../../artifacts/lock";
import type { ContainerRuntime, Download } from "./downloads";

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
