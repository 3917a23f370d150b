import type { Input } from "@pulumi/pulumi";
import type { AwsSettings } from "../components/aws/options";
import type { EtcdSnapshotSecrets, KeyGenerations } from "../components/cluster/options";
import type { DigitalOceanSettings } from "../components/digitalocean/options";
import type { DigitalOceanTokens } from "../components/digitalocean/tokens";

// The components' own options, but for what Pulumi's schema has no form for: values of either of two types, and lists that
// nobody may change. Names are those of the types in every language.

/** A file that a machine fetches: tried from each URL in turn, and refused when the hash differs. */
export interface Download {
    urls: string[];
    /** SHA-256 as lower-case hex. */
    sha256: string;
}

/** What runs containers. */
export interface ContainerRuntime {
    /** An archive as containerd's project releases it: version 2 or newer. */
    containerd: Download;
    /** The program itself. */
    runc: Download;
}

/** Where machines get what their OS image does not bring. */
export interface NodeDownloads {
    kubelet: Download;
    /** Kubelets of other versions than the cluster's, which the annotation `tradewind.dev/kubelet-version` of a node may name. */
    otherKubelets?: Record<string, Download>;
    cniPlugins: Download;
    /** Other archives of CNI plugins, which the annotation `tradewind.dev/cni-plugins` of a node may name by their SHA-256. */
    otherCniPlugins?: Download[];
    /** containerd and runc for machines whose OS image has none, by cloud-init, those that are there too. @default the image's own */
    containerRuntime?: ContainerRuntime;
    /** Others, which the annotation `tradewind.dev/container-runtime` of a node may name by their SHA-256. */
    otherContainerRuntimes?: ContainerRuntime[];
    /** Base URL of a registry that answers for every image, such as `http://mirror.example:5000`. */
    registryMirror?: string;
}

/** What machines of an architecture fetch. */
export interface AwsMachineDownloads {
    kubelet: Download;
    /** Kubelets of other versions than the cluster's, which the annotation `tradewind.dev/kubelet-version` of a node may name. */
    otherKubelets?: Record<string, Download>;
    cniPlugins: Download;
    /** Other archives of CNI plugins, which the annotation `tradewind.dev/cni-plugins` of a node may name by their SHA-256. */
    otherCniPlugins?: Download[];
    /** containerd and runc for machines whose OS image has none, by cloud-init, those that are there too. @default the image's own */
    containerRuntime?: ContainerRuntime;
    /** Others, which the annotation `tradewind.dev/container-runtime` of a node may name by their SHA-256. */
    otherContainerRuntimes?: ContainerRuntime[];
}

/** Where machines fetch the kubelet, CNI plugins and images: by architecture what is made for one. */
export interface AwsDownloads {
    kubelet?: Download;
    /** Kubelets of other versions than the cluster's, which the annotation `tradewind.dev/kubelet-version` of a node may name. */
    otherKubelets?: Record<string, Download>;
    cniPlugins?: Download;
    /** Other archives of CNI plugins, which the annotation `tradewind.dev/cni-plugins` of a node may name by their SHA-256. */
    otherCniPlugins?: Download[];
    /** containerd and runc for machines whose OS image has none, by cloud-init, those that are there too. @default the image's own */
    containerRuntime?: ContainerRuntime;
    /** Others, which the annotation `tradewind.dev/container-runtime` of a node may name by their SHA-256. */
    otherContainerRuntimes?: ContainerRuntime[];
    /** In the place of `kubelet` and `cniPlugins`, which are for amd64. */
    arm64?: AwsMachineDownloads;
    /** Base URL of a registry that answers for every image, such as `http://mirror.example:5000`. */
    registryMirror?: string;
}

export interface KeyOptions extends KeyGenerations {
    /** Keys with which Secrets are kept in etcd, `plain` for none: `["plain", "1"]`, `["1", "plain"]` and `["1"]` encrypt them. */
    encryption?: string[];
}

export interface AwsClusterArgs extends AwsSettings {
    keys?: KeyOptions;
    /** Where machines fetch the kubelet, CNI plugins and images. */
    downloads: AwsDownloads;
    /** For `etcdSnapshots.s3`. */
    etcdSnapshotSecrets?: Input<EtcdSnapshotSecrets>;
}

export interface DigitalOceanClusterArgs extends DigitalOceanSettings {
    keys?: KeyOptions;
    /** Where machines fetch the kubelet, CNI plugins and images. */
    downloads: NodeDownloads;
    /** For `etcdSnapshots.s3`. */
    etcdSnapshotSecrets?: Input<EtcdSnapshotSecrets>;
    /** Tokens of what the cluster runs of DigitalOcean's own. */
    cloudTokens?: Input<DigitalOceanTokens>;
}
