import { ComponentResource, type ComponentResourceOptions, type Input, type Output } from "@pulumi/pulumi";
import type { EtcdSnapshotSecrets, KeyGenerations } from "../cluster/options";
import type { AwsSettings } from "../components/aws/options";
import type { DigitalOceanTokens } from "../components/digitalocean/in-cluster";
import type { DigitalOceanSettings } from "../components/digitalocean/options";

// What Pulumi's analyzer reads, for `schema.json`: `npm run reference`. Nothing of it runs: `provider.ts` makes the components
// themselves. Each field is an output.

/** A self-hosted Kubernetes cluster on AWS. */
export declare class AwsCluster extends ComponentResource {
    /** Administrator's kubeconfig. Secret. */
    readonly kubeconfig: Output<string>;
    readonly apiUrl: Output<string>;
    /** PEM of the Kubernetes CA certificate. */
    readonly ca: Output<string>;
    /** The controllers' nodes. Workers take their names from AWS. */
    readonly nodes: Output<string[]>;
    readonly kubernetesVersion: Output<string>;
    /** DNS name of what takes ingress, for names of yours to point to. Missing where there is none. */
    readonly ingressName?: Output<string>;
    readonly vpcId: Output<string>;
    /** Route tables of nodes' subnets, for ways of yours to other networks. None, of an existing network. */
    readonly routeTableIds: Output<string[]>;
    /** When each certificate ends, by its name: RFC 3339. */
    readonly certificateExpiry: Output<Record<string, string>>;

    constructor(name: string, args: AwsClusterArgs, opts?: ComponentResourceOptions);
}

/** A self-hosted Kubernetes cluster on DigitalOcean. */
export declare class DigitalOceanCluster extends ComponentResource {
    /** Administrator's kubeconfig. Secret. */
    readonly kubeconfig: Output<string>;
    readonly apiUrl: Output<string>;
    /** PEM of the Kubernetes CA certificate. */
    readonly ca: Output<string>;
    readonly nodes: Output<string[]>;
    readonly kubernetesVersion: Output<string>;
    /** DNS name of what takes ingress, for names of yours to point to. Missing where there is none. */
    readonly ingressName?: Output<string>;
    /** When each certificate ends, by its name: RFC 3339. */
    readonly certificateExpiry: Output<Record<string, string>>;

    constructor(name: string, args: DigitalOceanClusterArgs, opts?: ComponentResourceOptions);
}

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
