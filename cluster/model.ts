import type { CloudImages } from "../artifacts/cloud-images";
import type { KeyLists } from "./keys/lists";
import type { SelfHostedParts } from "./levels";
import type { Cidr } from "./network/cidr";
import type { ComponentOptions } from "./options";
import type { OsReboots } from "./os-reboots";
import type { Taint } from "./taints";
import type { UpgradeCheck } from "./upgrade-overrides";

/** A validated cluster with every default filled in: plain data, the input of all manifests and node configs. */
export interface Cluster {
    readonly name: string;
    /** The cluster's own DNS zone: `<name>.<domain>`. */
    readonly zone: string;
    /** DNS name of the API, as workers and people use it. */
    readonly apiName: string;
    readonly versions: ComponentVersions;
    readonly images: ComponentImages;
    readonly network: Network;
    readonly controllers: Controllers;
    readonly workerPools: readonly WorkerPool[];
    readonly extraArgs: Required<ComponentOptions>;
    readonly etcdSnapshots: EtcdSnapshots;
    /** @default - nodes are not rebooted */
    readonly osReboots?: OsReboots;
    readonly selfHosted: SelfHostedParts;
    readonly certificates: Certificates;
    readonly keys: KeyLists;
    /** Checks of an upgrade whose findings are not held against it. */
    readonly upgradeOverrides: readonly UpgradeCheck[];
    /** Whose controller tells nodes what they are. @default nobody's: a node is what its kubelet says */
    readonly cloudProvider?: CloudProvider;
    /** Whether a load balancer leads to the API. Else clients come to controllers by whatever addresses those have. */
    readonly hasApiLoadBalancer: boolean;
    /** How long a change of a component may take to be rolled out. */
    readonly rolloutSeconds: number;
}

/** Clouds whose own controllers can run in the cluster. */
export const cloudProviders = ["aws", "digitalocean"] as const;
export type CloudProvider = (typeof cloudProviders)[number];

/** For how many-th time certificates are issued. */
export interface Certificates {
    readonly generation: number;
    readonly administrator: number;
    readonly kubeletServing: (typeof kubeletServings)[number];
}

/** Whose kubelets' server certificates are: each kubelet's own, the cluster's, or such that kube-apiserver asks for. */
export const kubeletServings = ["own", "issued", "verified"] as const;

export interface EtcdSnapshots {
    readonly intervalSeconds: number;
    /** Number of snapshots. */
    readonly keep: number;
    /** @default - no limit */
    readonly maxAgeSeconds?: number;
    /** Absolute path on controllers. */
    readonly directory: string;
    readonly s3?: EtcdS3;
}

export interface EtcdS3 {
    readonly endpoint: string;
    readonly bucket: string;
    readonly region: string;
    readonly prefix: string;
    readonly isEncrypted: boolean;
    /** Without keys, as the role of controllers' instances. */
    readonly isByInstanceRole: boolean;
}

export interface ComponentVersions {
    readonly kubernetes: string;
    readonly etcd: string;
    readonly cniPlugins: string;
}

/** Images under their official names, tag included. */
export interface ComponentImages extends CloudImages {
    readonly kubeApiserver: string;
    readonly kubeControllerManager: string;
    readonly kubeScheduler: string;
    readonly kubeProxy: string;
    readonly etcd: string;
    readonly haproxy: string;
    readonly coredns: string;
    readonly flannel: string;
    readonly flannelCniPlugin: string;
    readonly pause: string;
    readonly node: string;
}

export interface Network {
    readonly podCidr: Cidr;
    readonly serviceCidr: Cidr;
    /** Pods' addresses by IPv6, which they have beside. @default - pods and services have IPv4 addresses alone */
    readonly podCidr6?: Cidr;
    /** Services' addresses by IPv6. @default - none, as without `podCidr6` */
    readonly serviceCidr6?: Cidr;
    /** Service address of the API: the first of the service block. */
    readonly kubernetesServiceAddress: string;
    /** Service address of CoreDNS: the tenth of the service block. */
    readonly dnsServiceAddress: string;
    readonly clusterDomain: string;
    readonly kubeProxyMode: "nftables" | "iptables";
    readonly keepsConntrackLimits: boolean;
}

export interface Controllers {
    /** Node names, `<cluster>-controller-<index>`. */
    readonly names: readonly string[];
    readonly labels: Record<string, string>;
    readonly isSchedulable: boolean;
    readonly snippets: readonly string[];
}

export interface WorkerPool {
    readonly name: string;
    /** Node names, `<cluster>-<pool>-<index>`. */
    readonly nodes: readonly string[];
    readonly labels: Record<string, string>;
    readonly taints: readonly Taint[];
    /** How many nodes may be drained at a time when kubelets are upgraded. */
    readonly maxUnavailable: number;
    /** In which a node is to be drained. */
    readonly drainSeconds: number;
    readonly snippets: readonly string[];
}

/** The nodes of every pool, controllers first, as `controller`. */
export function nodesByPool({ controllers, workerPools }: Cluster): Record<string, readonly string[]> {
    return {
        controller: controllers.names,
        ...Object.fromEntries(workerPools.map(({ name, nodes }) => [name, nodes])),
    };
}
