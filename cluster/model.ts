import type { CloudImages } from "../versions/cloud-images";
import type { Admission } from "./admission";
import type { JwtOptions } from "./authentication/options";
import type { CloudName } from "./clouds";
import type { ControlPlaneFiles } from "./control-plane-files";
import type { administratorGroups } from "./keys/administrator";
import type { KeyLists } from "./keys/lists";
import type { Taint } from "./labels";
import type { SelfHostedParts } from "./levels";
import type { Logs } from "./logs";
import type { Cidr } from "./network/cidr";
import type { ComponentOptions, OwnImages, PublicIssuer } from "./options";
import type { OsReboots } from "./os-reboots";
import type { Prometheus } from "./prometheus";
import type { RegistryMirror } from "./registry-mirrors";
import type { Repair } from "./repair";
import type { UpgradeCheck } from "./upgrade-overrides";
import type { UpgradeGuard } from "./upgrades/guarded";
import type { UpgradeJob } from "./upgrades/jobs";

/** A validated cluster with all defaults applied: plain data, the input of all manifests and node configs. */
export interface Cluster {
    readonly name: string;
    /** The cluster's own DNS zone: `<name>.<domain>`. */
    readonly zone: string;
    /** DNS name of the API for workers and users. */
    readonly apiName: string;
    readonly versions: ComponentVersions;
    readonly images: ComponentImages;
    /** Whether metrics can be scraped at every node. */
    readonly metrics: boolean;
    /** Whether metrics-server serves CPU and memory of nodes and pods. */
    readonly metricsServer: boolean;
    readonly network: Network;
    readonly dns: Dns;
    readonly controllers: Controllers;
    readonly workerPools: readonly WorkerPool[];
    readonly extraArgs: Required<ComponentOptions>;
    readonly controlPlaneFiles: ControlPlaneFiles;
    /** Whether kube-apiserver writes an audit log. */
    readonly auditLog: boolean;
    /** @default - logs stay on the nodes */
    readonly logs?: Logs;
    /** @default - no Prometheus runs */
    readonly prometheus?: Prometheus;
    readonly etcdSnapshots: EtcdSnapshots;
    /** @default - nodes are not rebooted */
    readonly osReboots?: OsReboots;
    /** @default - machines are not repaired */
    readonly repair?: Repair;
    /** Whether containerd confines pods with SELinux. @default - false */
    readonly selinux?: boolean;
    /** @default - images come from their own registries */
    readonly registryMirrors?: readonly RegistryMirror[];
    /** In their place, unless machines have a mirror for all registries. @default - none */
    readonly defaultMirrors?: readonly RegistryMirror[];
    /** @default - everything is reached directly */
    readonly proxy?: HttpProxy;
    readonly selfHosted: SelfHostedParts;
    readonly certificates: Certificates;
    /** Issuers of ID tokens. */
    readonly jwt: readonly JwtOptions[];
    readonly admission: Admission;
    readonly keys: KeyLists;
    /** Oldest minor version that can read everything. @default the previous one */
    readonly rollbackTo?: string;
    /** Upgrade checks to skip. */
    readonly upgradeOverrides: readonly UpgradeCheck[];
    /** @default upgrades of the control plane are not guarded */
    readonly upgradeGuard?: UpgradeGuard;
    /** The user's Jobs that an upgrade runs between its steps. */
    readonly upgradeJobs: readonly UpgradeJob[];
    /** Cloud whose controller initializes nodes. @default none: nodes only have what their kubelets set */
    readonly cloudProvider?: CloudName;
    /** @default tokens of service accounts are for the cluster only */
    readonly publicIssuer?: PublicIssuer;
    /** Whether the API has a load balancer. Otherwise clients connect to any address of the controllers. */
    readonly apiLoadBalancer: boolean;
    /** Seconds after which it closes an idle connection. @default 300 or more */
    readonly apiIdleSeconds?: number;
    /** Whether worker pools are created after everything in the cluster. */
    readonly workersJoinLast: boolean;
    /** How long the rollout of a changed component may take. */
    readonly rolloutSeconds: number;
    /** How long `up` waits for the nodes of a new or changed pool. */
    readonly joinSeconds: number;
    /** What it is if they do not join. */
    readonly joinFailure: (typeof joinFailures)[number];
}

/** How `up` ends if nodes of a pool do not join. */
export const joinFailures = ["warning", "error"] as const;

/** How often certificates have been reissued. */
export interface Certificates {
    readonly generation: number;
    readonly administrator: number;
    readonly administratorGroup: (typeof administratorGroups)[number];
    readonly kubeletServing: (typeof kubeletServings)[number];
    readonly kubeletRenewal: (typeof kubeletRenewals)[number];
}

/**
 * Issuers of kubelet serving certificates: each kubelet itself, the cluster, or the cluster with verification by
 * kube-apiserver.
 */
export const kubeletServings = ["own", "issued", "verified"] as const;

/** Whose client certificates are renewed: those of nodes that the stack lists, or of any that holds one. */
export const kubeletRenewals = ["listed", "any"] as const;

export interface EtcdSnapshots {
    readonly intervalSeconds: number;
    /** Number of snapshots. */
    readonly keep: number;
    /** @default - no limit */
    readonly maxAgeSeconds?: number;
    /** Absolute path on controllers. */
    readonly directory: string;
    /** Generations of the stack's own encryption keys: the first one encrypts, unless the user has given a key. */
    readonly keys: readonly number[];
    readonly s3?: EtcdS3;
}

export interface EtcdS3 {
    readonly endpoint: string;
    readonly bucket: string;
    readonly region: string;
    readonly prefix: string;
    readonly isEncrypted: boolean;
    /** Whether anything may be sent by HTTP without TLS. */
    readonly plainHttp: boolean;
    /** Access with the role of the controllers' instances instead of keys. */
    readonly instanceRole: boolean;
}

export interface ComponentVersions {
    readonly kubernetes: string;
    readonly etcd: string;
    readonly cniPlugins: string;
}

/** Images by their full names, with tags and, where they are pinned, digests. */
export interface ComponentImages extends OwnImages, CloudImages {}

export interface Network {
    readonly podCidr: Cidr;
    readonly serviceCidr: Cidr;
    /** IPv6 addresses of pods, in addition to IPv4. @default - pods and services only have IPv4 addresses */
    readonly podCidr6?: Cidr;
    /** IPv6 addresses of services. @default - none, as without `podCidr6` */
    readonly serviceCidr6?: Cidr;
    /** Service address of the API: the first of the service block. */
    readonly kubernetesServiceAddress: string;
    /** Service address of CoreDNS: the tenth of the service block. */
    readonly dnsServiceAddress: string;
    readonly clusterDomain: string;
    readonly kubeProxyMode: KubeProxyMode;
    readonly networkPolicies: NetworkPolicyMode;
    readonly cni: Cni;
    readonly keepConntrackLimits: boolean;
    /** Whether the pod network does not reach etcd and SSH on controllers. */
    readonly controllerGuard: boolean;
}

/** What happens to NetworkPolicies on nodes; `cleared` removes the rules of `enforced` from them. */
export const networkPolicyModes = ["enforced", "cleared", "ignored"] as const;

export type NetworkPolicyMode = (typeof networkPolicyModes)[number];

/** How kube-proxy programs the kernel; `none` if the users' CNI replaces it. */
export const kubeProxyModes = ["nftables", "iptables", "none"] as const;

export type KubeProxyMode = (typeof kubeProxyModes)[number];

/** What gives pods their network: one of two that the stack installs, or `none`, if users install their own. */
export const cnis = ["flannel", "kube-router", "none"] as const;

export type Cni = (typeof cnis)[number];

/** The HTTP proxy between machines and the outside, with all destinations that are reached directly. */
export interface HttpProxy {
    readonly httpProxy?: string;
    readonly httpsProxy?: string;
    readonly noProxy: readonly string[];
}

/** Cluster DNS, with all defaults applied. */
export interface Dns {
    /** Addresses with optional ports, as CoreDNS takes them; none if empty. @default - the servers of each node */
    readonly upstreams?: readonly string[];
    /** Server blocks in addition to the generated one. @default - none */
    readonly serverBlocks?: string;
    readonly spread: "required" | "preferred";
}

export interface Controllers {
    /** Node names, `<cluster>-controller-<index>`. */
    readonly names: readonly string[];
    /** Names of workers that may become controllers: docs/candidates.md. */
    readonly candidates: readonly string[];
    /** Pool of the only node that has a member of etcd but no control plane: docs/arbiter.md. @default - none */
    readonly arbiter?: WorkerPool;
    /** How long a controller must be lost until a candidate replaces it. */
    readonly replaceAfterSeconds: number;
    readonly labels: Record<string, string>;
    readonly schedulable: boolean;
    readonly snippets: readonly string[];
}

export interface WorkerPool {
    readonly name: string;
    /** Node names, `<cluster>-<pool>-<index>`. */
    readonly nodes: readonly string[];
    readonly labels: Record<string, string>;
    readonly taints: readonly Taint[];
    /** How many nodes, or which percentage of them (`10%`), may be drained at the same time when kubelets are upgraded. */
    readonly maxUnavailable: number | string;
    /** Drain timeout of a node. */
    readonly drainSeconds: number;
    readonly snippets: readonly string[];
}

/** Nodes by pool, starting with the controllers as `controller`. */
export function nodesByPool(cluster: Pools): Record<string, readonly string[]> {
    return {
        controller: cluster.controllers.names,
        ...Object.fromEntries(otherPools(cluster).map(({ name, nodes }) => [name, nodes])),
    };
}

type Pools = Pick<Cluster, "controllers" | "workerPools">;

/** Pools of nodes that are no controllers: the arbiter's, if there is one, and those of workers. */
export function otherPools({ controllers: { arbiter }, workerPools }: Pools): readonly WorkerPool[] {
    return arbiter ? [arbiter, ...workerPools] : workerPools;
}

/** Whether a pool's nodes may become controllers. */
export function isCandidatePool(
    { controllers }: Pick<Cluster, "controllers">,
    { nodes }: Pick<WorkerPool, "nodes">,
): boolean {
    return nodes.some((node) => controllers.candidates.includes(node));
}

/** Names of all nodes that are controllers or may become one. */
export function possibleControllers({ controllers }: Pick<Cluster, "controllers">): readonly string[] {
    return [...controllers.names, ...controllers.candidates];
}

/** Names of all nodes that have a member of etcd or may get one. */
export function possibleMembers({ controllers }: Pick<Cluster, "controllers">): readonly string[] {
    return [...possibleControllers({ controllers }), ...(controllers.arbiter?.nodes ?? [])];
}
