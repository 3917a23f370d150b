import { ComponentResource, type ComponentResourceOptions, type Input, type Output } from "@pulumi/pulumi";
import type { EtcdSnapshotSecrets, KeyGenerations } from "../cluster/options";
import type { AwsSettings } from "../components/aws/options";
import type { DigitalOceanTokens } from "../components/digitalocean/in-cluster";
import type { DigitalOceanSettings } from "../components/digitalocean/options";

// Input of Pulumi's analyzer, which generates `schema.json` (`npm run reference`). None of this runs: `provider.ts`
// creates the components. Each field is an output.

/** A self-hosted Kubernetes cluster on AWS. */
export declare class AwsCluster extends ComponentResource {
    /** Administrator's kubeconfig. Secret. */
    readonly kubeconfig: Output<string>;
    readonly apiUrl: Output<string>;
    /** PEM of the Kubernetes CA certificate. */
    readonly ca: Output<string>;
    /** Nodes of the controllers. AWS names the workers. */
    readonly nodes: Output<string[]>;
    readonly kubernetesVersion: Output<string>;
    /** DNS name of the ingress load balancer; point your records at it. Missing without ingress. */
    readonly ingressName?: Output<string>;
    readonly vpcId: Output<string>;
    /** Route tables of the nodes' subnets, for your own routes to other networks. Empty for an existing network. */
    readonly routeTableIds: Output<string[]>;
    /** Expiry of each certificate by name: RFC 3339. */
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
    /** DNS name of the ingress load balancer; point your records at it. Missing without ingress. */
    readonly ingressName?: Output<string>;
    /** Expiry of each certificate by name: RFC 3339. */
    readonly certificateExpiry: Output<Record<string, string>>;

    constructor(name: string, args: DigitalOceanClusterArgs, opts?: ComponentResourceOptions);
}

// The components' options, except for those that Pulumi's schema cannot express: values of two types, and readonly
// lists. The names below are the type names in every language.

/** A file that machines download. URLs are tried in order; a file with another hash is refused. */
export interface Download {
    urls: string[];
    /** SHA-256 as lower-case hex. */
    sha256: string;
}

/** The container runtime. */
export interface ContainerRuntime {
    /** A release archive of containerd, version 2 or newer. */
    containerd: Download;
    /** The runc binary. */
    runc: Download;
}

/** Where machines download what their OS image lacks. */
export interface NodeDownloads {
    kubelet: Download;
    /** Additional kubelet versions, which a node's annotation `tradewind.dev/kubelet-version` can select. */
    otherKubelets?: Record<string, Download>;
    cniPlugins: Download;
    /**
     * Additional archives of CNI plugins, which a node's annotation `tradewind.dev/cni-plugins` can select by SHA-256.
     */
    otherCniPlugins?: Download[];
    /**
     * containerd and runc for new and existing machines whose OS image has none, with cloud-init.
     * @default the ones in the image
     */
    containerRuntime?: ContainerRuntime;
    /**
     * Additional container runtimes, which a node's annotation `tradewind.dev/container-runtime` can select by SHA-256.
     */
    otherContainerRuntimes?: ContainerRuntime[];
    /** Base URL of a registry that mirrors every image, such as `http://mirror.example:5000`. */
    registryMirror?: string;
}

/** Downloads of machines of one architecture. */
export interface AwsMachineDownloads {
    kubelet: Download;
    /** Additional kubelet versions, which a node's annotation `tradewind.dev/kubelet-version` can select. */
    otherKubelets?: Record<string, Download>;
    cniPlugins: Download;
    /**
     * Additional archives of CNI plugins, which a node's annotation `tradewind.dev/cni-plugins` can select by SHA-256.
     */
    otherCniPlugins?: Download[];
    /**
     * containerd and runc for new and existing machines whose OS image has none, with cloud-init.
     * @default the ones in the image
     */
    containerRuntime?: ContainerRuntime;
    /**
     * Additional container runtimes, which a node's annotation `tradewind.dev/container-runtime` can select by SHA-256.
     */
    otherContainerRuntimes?: ContainerRuntime[];
}

/** Where machines download the kubelet, CNI plugins and images, by architecture where it matters. */
export interface AwsDownloads {
    kubelet?: Download;
    /** Additional kubelet versions, which a node's annotation `tradewind.dev/kubelet-version` can select. */
    otherKubelets?: Record<string, Download>;
    cniPlugins?: Download;
    /**
     * Additional archives of CNI plugins, which a node's annotation `tradewind.dev/cni-plugins` can select by SHA-256.
     */
    otherCniPlugins?: Download[];
    /**
     * containerd and runc for new and existing machines whose OS image has none, with cloud-init.
     * @default the ones in the image
     */
    containerRuntime?: ContainerRuntime;
    /**
     * Additional container runtimes, which a node's annotation `tradewind.dev/container-runtime` can select by SHA-256.
     */
    otherContainerRuntimes?: ContainerRuntime[];
    /** Downloads of arm64 machines, instead of `kubelet` and `cniPlugins`, which are for amd64. */
    arm64?: AwsMachineDownloads;
    /** Base URL of a registry that mirrors every image, such as `http://mirror.example:5000`. */
    registryMirror?: string;
}

export interface KeyOptions extends KeyGenerations {
    /**
     * Keys that encrypt Secrets in etcd, `plain` for none: `["plain", "1"]`, `["1", "plain"]` and `["1"]` turn
     * encryption on.
     */
    encryption?: string[];
}

export interface AwsClusterArgs extends AwsSettings {
    keys?: KeyOptions;
    /** Where machines download the kubelet, CNI plugins and images. */
    downloads: AwsDownloads;
    /** Credentials for `etcdSnapshots.s3`. */
    etcdSnapshotSecrets?: Input<EtcdSnapshotSecrets>;
}

export interface DigitalOceanClusterArgs extends DigitalOceanSettings {
    keys?: KeyOptions;
    /** Where machines download the kubelet, CNI plugins and images. */
    downloads: NodeDownloads;
    /** Credentials for `etcdSnapshots.s3`. */
    etcdSnapshotSecrets?: Input<EtcdSnapshotSecrets>;
    /** Tokens of the DigitalOcean controllers in the cluster. */
    cloudTokens?: Input<DigitalOceanTokens>;
}
