import type { CloudImages } from "../artifacts/cloud-images";

/** Options that clusters of every kind have alike. */
export interface CommonOptions {
    /** Kubernetes version without the `v`. @default the newest known one */
    kubernetesVersion?: string;
    /** etcd's version without the `v`. Members that run are changed one after another. @default the release's own */
    etcdVersion?: string;
    network?: NetworkOptions;
    components?: ComponentOptions;
    etcdSnapshots?: EtcdSnapshotOptions;
    /** Has nodes reboot, one after another, when their OS asks for it. @default they are left alone */
    osReboots?: OsRebootOptions;
    /** What hosts itself beside the control plane. @default nothing @see docs/levels.md */
    selfHosted?: SelfHostedOptions;
    certificates?: CertificateOptions;
    /**
     * What is found before another Kubernetes version, or before a key goes, and not held against it: `version`,
     * `kubelets`, `components`, `etcd`, `removed-apis`, `health`, `checksums`, `flags`, `tokens`, `authorities`, `admission`. @default [] @see docs/upgrades.md#what-is-refused
     */
    upgradeOverrides?: string[];
    /**
     * How long `pulumi up` waits for the new pods of a changed component before it fails with what they said last: `30s` or
     * more. The old ones serve on.
     * @default "5m"
     */
    rolloutTimeout?: string;
}

/** Options of a cluster that every cloud shares: plain data, known in preview. */
export interface ClusterOptions extends CommonOptions {
    /** Name of the cluster: a DNS label. */
    name: string;
    /** DNS zone of all clusters: this one's own is `<name>.<domain>`. @default "tradewind.internal" */
    domain?: string;
    controllers?: ControllerOptions;
    /** Worker pools. @default no workers */
    workerPools?: WorkerPoolOptions[];
    keys?: KeyOptions;
    /**
     * The cloud whose controller runs in the cluster: `aws` or `digitalocean`. Nodes wait for it before they take
     * ordinary pods. Chosen once. @default none
     */
    cloudProvider?: string;
    /** Images of the cloud's controllers in the place of the release's own. @default those */
    cloudImages?: Partial<CloudImages>;
    /** Whether a load balancer leads to the API. Without one the API's name has every controller's address. @default true */
    hasApiLoadBalancer?: boolean;
}

/** When nodes whose OS asks for a reboot may have it, one after another. @default they are left alone */
export interface OsRebootOptions {
    /**
     * Times of the week, in UTC, in which a reboot may begin: `Sun 02:00-05:00`, `Mon-Fri 22:00-02:00`, or, every day,
     * `02:00-05:00`. 15 minutes or more.
     * @see docs/upgrades.md#reboots-of-the-os
     */
    windows: string[];
}

/** What runs as pods of the cluster beside the control plane. Moving there and back is an `up`. @see docs/levels.md */
export interface SelfHostedOptions {
    /**
     * Whether nodes' kubelets run as pods. The host's own waits on each node, and takes over when that ends.
     * @default false @see docs/levels.md#the-kubelet-0-4
     */
    kubelet?: boolean;
    /**
     * Whether etcd's members run as pods of controllers. The machine's own waits on each, and takes over when that ends. Not
     * together with `kubelet`.
     * @default false @see docs/levels.md#etcd-1-4
     */
    etcd?: boolean;
}

/** Which certificates are issued anew: they never change with the date. */
export interface CertificateOptions {
    /**
     * Another number has the control plane's and etcd's certificates issued anew, the former with other keys: 1 or more.
     * No machine is replaced. @default 1 @see docs/certificates.md#another-generation
     */
    generation?: number;
    /**
     * Another number has the administrator's certificate issued anew, and so the kubeconfig: 1 or more. The one before is
     * good until its own end. @default 1
     */
    administrator?: number;
    /**
     * Certificates that kubelets show: `own` ones, which nobody checks; `issued` by the cluster, for the names and addresses
     * of the machines that the stack made; or `verified`, which kube-apiserver asks for too. Machines are given it when they
     * are made. Not on AWS. @default "own" @see docs/certificates.md#kubelets
     */
    kubeletServing?: string;
}

/** Lists of keys that are known by numbers alone. */
export interface KeyGenerations {
    /** Keys that sign service accounts' tokens. @default [1] @see docs/certificates.md#keys */
    serviceAccount?: number[];
    /**
     * Authorities of the certificate by which kube-apiserver is known to aggregated APIs.
     * @default [1] @see docs/certificates.md#aggregated-apis
     */
    frontProxyCa?: number[];
    /**
     * Authorities of the certificates of etcd's members and of those who ask them. Each step starts the members anew, one
     * after another. @default [1] @see docs/certificates.md#etcd
     */
    etcdCa?: number[];
    /**
     * Authorities of kube-apiserver's certificate, of kubelets' and of the administrator's. Each step restarts the kubelets,
     * node by node. @default [1] @see docs/certificates.md#kubernetes
     */
    kubernetesCa?: number[];
}

/**
 * Keys by their generations: the first is used, and each is accepted. Another one comes in three steps, each an `up`:
 * `[1, 2]`, `[2, 1]`, `[2]`. A step that is left out is refused.
 */
export interface KeyOptions extends KeyGenerations {
    /**
     * Keys with which Secrets are kept in etcd, `plain` for none: `["plain", 1]`, `[1, "plain"]` and `[1]` encrypt them. A
     * new cluster may begin with `[1]`. @default ["plain"] @see docs/certificates.md#secrets-in-etcd
     */
    encryption?: (number | "plain")[];
}

/** When snapshots of etcd are taken, and which are kept. @see docs/etcd.md#snapshots */
export interface EtcdSnapshotOptions {
    /** Time between two snapshots: `30m`, `12h`, `1d`; `1m` or more. @default "1h" */
    interval?: string;
    /** How many are kept: 1 or more. @default 24 */
    keep?: number;
    /** Age at which they are removed, the newest excepted: `1h` or more. @default no limit */
    maxAge?: string;
    /** Where they are on the controller that takes them. @default "/var/lib/tradewind/etcd-snapshots" */
    directory?: string;
    /** A copy of each goes there. @default none */
    s3?: EtcdS3Options;
}

/** A bucket of an S3-compatible store, which must be there. */
export interface EtcdS3Options {
    /** URL without a path, `https://s3.eu-central-1.amazonaws.com`; the bucket is not in it. */
    endpoint: string;
    /** One that is there. */
    bucket: string;
    /** Region that requests are signed for. @default "us-east-1" */
    region?: string;
    /** Begins every key. @default the cluster's name */
    prefix?: string;
    /** Whether what leaves the cluster is encrypted, with AES-256-GCM. The secrets hold the key then. @default false */
    isEncrypted?: boolean;
    /**
     * On AWS: whether the bucket is used as the role of the controllers' instances, which the stack allows that, in the place of
     * secrets. Not with `isEncrypted`.
     * @default false @see docs/aws.md#snapshots-in-s3
     */
    isByInstanceRole?: boolean;
}

/** What a store's bucket is used with. */
export interface EtcdSnapshotSecrets {
    /** What may read, write, list and delete there. A secret: `pulumi config set --secret --path`. */
    accessKeyId: string;
    /** A secret. */
    secretAccessKey: string;
    /**
     * 32 random bytes in base64 (`openssl rand -base64 32`): snapshots are encrypted before they leave. Whoever loses it loses
     * the snapshots. A secret.
     * @default none: not encrypted @see docs/etcd.md#encryption
     */
    encryptionKey?: string;
}

export interface ControllerOptions {
    /** How many: 1, 3 or 5, so that etcd has a majority. @default 1 @see docs/scaling.md */
    count?: number;
    /**
     * Node labels in addition to the role label. Of `kubernetes.io` and `k8s.io` only `node.kubernetes.io/`,
     * `kubelet.kubernetes.io/` and, where no cloud controller sets them, `topology.kubernetes.io/zone` and `region`: a kubelet may
     * not set others on itself. @default {}
     */
    labels?: Record<string, string>;
    /** Whether pods that do not tolerate the control-plane taint may run on controllers. @default true when there are no workers */
    isSchedulable?: boolean;
    /** Ignition JSON (3.3 to 3.5) merged over the generated config; the snippet wins. @default [] */
    snippets?: string[];
}

export interface WorkerPoolOptions {
    /** Part of the nodes' names, `<cluster>-<pool>-<index>`: a DNS label, unique in the cluster, not `controller`. */
    name: string;
    /** How many workers. @default 1 @see docs/scaling.md */
    count?: number;
    /** Labels of the pool's nodes, as of controllers. @default {} */
    labels?: Record<string, string>;
    /**
     * Taints of the pool's nodes: `key=value:Effect` or `key:Effect`; the effects are `NoSchedule`, `PreferNoSchedule`,
     * `NoExecute`. @default []
     */
    taints?: string[];
    /**
     * How many of the pool's nodes may be drained at a time when kubelets are upgraded: 1 or more.
     * @default 1 @see docs/upgrades.md#kubelets
     */
    maxUnavailable?: number;
    /**
     * How long a node of the pool may take until it is drained, before another kubelet, container runtime or a reboot of its OS:
     * from `30s` to `2h`. Pods that stay then are complained of, and never forced. On AWS also how long an instance that the group
     * ends is waited for: what is left then ends by the kubelet's shutdown.
     * @default "5m" @see docs/upgrades.md#nodes-that-are-not-drained
     */
    drainTimeout?: string;
    /** Ignition JSON (3.3 to 3.5) merged over the generated config; the snippet wins. @default [] */
    snippets?: string[];
}

export interface NetworkOptions {
    /** Addresses of pods: an IPv4 block of /22 or larger; every node takes a /24. @default "10.2.0.0/16" */
    podCidr?: string;
    /**
     * Addresses of services: an IPv4 block between /12 and /24. The first is the API's, the tenth cluster DNS.
     * @default "10.3.0.0/16"
     */
    serviceCidr?: string;
    /**
     * Addresses of pods by IPv6 beside those by IPv4, of a local cluster: a unique local or global block between /48 and
     * /62; every node takes a /64. With `serviceCidr6`. @default none
     */
    podCidr6?: string;
    /** Addresses of services by IPv6, as `podCidr6`: a block between /108 and /120. @default none */
    serviceCidr6?: string;
    /** DNS domain of services. @default "cluster.local" */
    clusterDomain?: string;
    /** How kube-proxy programs the kernel: `nftables` or `iptables`. @default "nftables" */
    kubeProxyMode?: string;
    /** Whether kube-proxy leaves the kernel's connection tracking limits alone, as it must in a container. @default false */
    keepsConntrackLimits?: boolean;
}

/**
 * Extra command line arguments by component, without the leading dashes. They win over the generated ones; lists are added to
 * them; flags that carry the cluster's identity and protection are refused. @see docs/flags.md
 */
export interface ComponentOptions {
    /** Of kube-apiserver. @default {} */
    kubeApiserver?: Record<string, string>;
    /** Of kube-controller-manager. @default {} */
    kubeControllerManager?: Record<string, string>;
    /** Of kube-scheduler. @default {} */
    kubeScheduler?: Record<string, string>;
    /** Of kubelets, which are changed node by node. @default {} @see docs/upgrades.md#kubelets */
    kubelet?: Record<string, string>;
    /** Of etcd's members, which are changed one after another. @default {} @see docs/upgrades.md#etcd */
    etcd?: Record<string, string>;
}
