import { versions } from "./index";

// `{arch}` is amd64 or arm64, `{binary}` the program's name.

/** Where Kubernetes publishes the binaries of every release. */
export function kubernetesUrl(version: string): string {
    return `https://dl.k8s.io/v${version}/bin/linux/{arch}/{binary}`;
}

export function containerdUrl(version: string): string {
    return `https://github.com/containerd/containerd/releases/download/v${version}/containerd-static-${version}-linux-{arch}.tar.gz`;
}

export const runcUrl = `https://github.com/opencontainers/runc/releases/download/v${versions.runc}/{binary}.{arch}`;

export const cniPluginsUrl = `https://github.com/containernetworking/plugins/releases/download/v${versions.cniPlugins}/cni-plugins-linux-{arch}-v${versions.cniPlugins}.tgz`;

/** The kubelet's credential provider for ECR. */
export const ecrCredentialProviderUrl = `https://artifacts.k8s.io/binaries/cloud-provider-aws/v${versions.ecrCredentialProvider}/linux/{arch}/ecr-credential-provider-linux-{arch}`;
