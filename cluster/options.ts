import type { CloudImages } from "../versions/cloud-images";
import type { AuthenticationOptions } from "./authentication/options";
import type { CloudName } from "./clouds";

/** Options shared by all kinds of clusters. */
export interface CommonOptions {
    /**
     * Kubernetes version without the `v`: any patch release of a supported minor version.
     * @default the newest tested version @see docs/upgrades.md#supported-versions
     */
    kubernetesVersion?: string;
    /**
     * Oldest minor version that the cluster can go back to, such as `"1.35"`: up to three before `kubernetesVersion`.
     * kube-apiserver stores everything so that it can read it.
     * @default the minor version before `kubernetesVersion` @see docs/upgrades.md#take-an-upgrade-back
     */
    rollbackTo?: string;
    /**
     * etcd version without the `v`: any patch release of a supported minor version. Running members are updated one at a time.
     * @default the version pinned by this release @see docs/etcd.md#changes
     */
    etcdVersion?: string;
    /** Images to pull instead of the release's, with the same tag. @default the release's images @see docs/images.md */
    images?: Partial<OwnImages>;
    /**
     * Whether images are pulled by digest where the release knows it.
     * @default true @see docs/images.md
     */
    imageDigests?: boolean;
    /**
     * Whether metrics of the control plane and of Tradewind's agents can be scraped at every node, with a token.
     * @default true @see docs/metrics.md
     */
    metrics?: boolean;
    /**
     * Whether metrics-server runs on a controller, for `kubectl top` and HorizontalPodAutoscalers. It verifies kubelets if
     * kube-apiserver does: `certificates.kubeletServing`.
     * @default false @see docs/metrics.md#cpu-and-memory-of-pods
     */
    metricsServer?: boolean;
    network?: NetworkOptions;
    components?: ComponentOptions;
    controlPlaneFiles?: ControlPlaneFileOptions;
    /**
     * Whether kube-apiserver logs who did what: in files on each controller that only root and kube-apiserver can read.
     * @default true @see docs/audit-log.md
     */
    auditLog?: boolean;
    /**
     * Sends the logs of kube-system's pods on controllers, and the audit log, to a server of yours.
     * @default logs stay on the nodes @see docs/logs.md
     */
    logs?: LogOptions;
    /**
     * Runs Prometheus with alerts and a dashboard page. `{}` for all defaults.
     * @default none; metrics can be scraped by one of yours @see docs/monitoring.md
     */
    prometheus?: PrometheusOptions;
    etcdSnapshots?: EtcdSnapshotOptions;
    /**
     * Reboots nodes one at a time when the OS requests it.
     * @default on clouds in the window "Sun 02:00-05:00"; nodes are not rebooted on local machines
     * @see docs/os-reboots.md
     */
    osReboots?: OsRebootOptions;
    /**
     * Restarts machines whose nodes are not Ready, then replaces them where the cloud can. `{}` for all defaults.
     * @default machines are not repaired @see docs/repair.md
     */
    repair?: RepairOptions;
    /**
     * Registries from which new machines pull images before they try an image's own.
     * @default none; on AWS its public gallery for Docker Hub
     * @see docs/node-networks.md#registry-mirrors
     */
    registryMirrors?: RegistryMirrorOptions[];
    /**
     * HTTP proxy of new machines and of Tradewind's agents.
     * @default none @see docs/node-networks.md#proxies
     */
    proxy?: ProxyOptions;
    /**
     * Whether new machines confine pods with SELinux, if their OS has it. Untested on such an OS: try it on a disposable
     * cluster first.
     * @default false @see docs/security.md#selinux
     */
    selinux?: boolean;
    /** Components that run as pods in addition to the control plane. @default none @see docs/levels.md */
    selfHosted?: SelfHostedOptions;
    certificates?: CertificateOptions;
    /** Single sign-on with OpenID Connect. @default none @see docs/authentication.md */
    authentication?: AuthenticationOptions;
    podSecurity?: PodSecurityOptions;
    eventRateLimit?: EventRateLimitOptions;
    /**
     * Whether Services may have `externalIPs`: `denied` or `allowed`. Who may create Services in any namespace can take
     * the traffic for any address with them, such as that of the cluster's DNS or a controller's.
     * @default "denied" @see docs/security.md#pods
     */
    externalIPs?: string;
    /**
     * Jobs of yours that an upgrade of Kubernetes runs between its steps, in this order, and waits for.
     * @default [] @see docs/upgrades.md#jobs-of-your-own
     */
    upgradeJobs?: UpgradeJobOptions[];
    /**
     * Watches the API during an upgrade of the control plane to a newer version of Kubernetes, and takes it back if it
     * makes the API worse.
     * @see docs/upgrades.md#the-upgrade-guard
     */
    upgradeGuard?: UpgradeGuardOptions;
    /**
     * Upgrade checks to skip, before another Kubernetes version is rolled out or a key is removed: `version`,
     * `kubelets`, `components`, `etcd`, `removed-apis`, `health`, `guard`, `checksums`, `flags`, `tokens`, `cas`,
     * `admission`, `pod-security`, `local-data`.
     * @default [] @see docs/upgrades.md#upgrade-checks
     */
    upgradeOverrides?: string[];
    /**
     * How long `pulumi up` waits for the new pods of a changed component before it fails and reports their last log
     * lines: `30s` or more. The old pods keep running.
     * @default "5m"
     */
    rolloutTimeout?: string;
    /**
     * How long `pulumi up`, once everything else is done, waits for the nodes of new or changed worker pools in a cloud:
     * from `1s` to `1h`. It waits less if the cloud says that it cannot launch them.
     * @default "5m" @see docs/scaling.md#nodes-that-do-not-join
     */
    joinTimeout?: string;
    /**
     * How `pulumi up` ends if they do not join: with a `warning` or an `error`, which has the cloud's own reason.
     * @default "warning" @see docs/scaling.md#nodes-that-do-not-join
     */
    joinFailure?: string;
}

/** A Job that an upgrade runs before or after one of its steps, and waits for. If it fails, the upgrade stops. */
export interface UpgradeJobOptions {
    /** Unique name: 40 characters at most. */
    readonly name: string;
    /**
     * Step that waits for it: `snapshot`, `etcd`, `checkpointer`, `apiserver`, `controllers`, `addons`,
     * `controllerKubelets` or `workerKubelets`.
     * @default - `after` is required
     */
    readonly before?: string;
    /** Step that it waits for. @default - `before` is required */
    readonly after?: string;
    /** Image of its only container, which runs as an unprivileged user. */
    readonly image: string;
    /** Command and arguments. @default the image's own */
    readonly command?: string[];
    /** Existing namespace that it runs in. @default "default" */
    readonly namespace?: string;
    /** Existing service account of its pod. @default none: it has no access to the API */
    readonly serviceAccount?: string;
    /** How long it may take: from `1s` to `1d`. @default "10m" */
    readonly timeout?: string;
}

/** What watches an upgrade of the control plane, and may take it back. */
export interface UpgradeGuardOptions {
    /** Whether upgrades are guarded. @default true */
    readonly enabled?: boolean;
    /**
     * How long it keeps watching once the control plane is rolled out, before any kubelet changes: from `1s` to `1d`.
     * @default "1m", but "20s" for a local cluster
     */
    readonly soak?: string;
}

/**
 * Images of the cluster's own components, in full: `registry.example/kube-apiserver:v1.36.3@sha256:…`, with the digest if
 * it is to be pinned.
 */
export interface OwnImages {
    /** kube-apiserver of the cluster's version. */
    readonly kubeApiserver: string;
    /** kube-controller-manager of the cluster's version. */
    readonly kubeControllerManager: string;
    /** kube-scheduler of the cluster's version. */
    readonly kubeScheduler: string;
    /** kube-proxy of the cluster's version. */
    readonly kubeProxy: string;
    /** The kubelet of the cluster's version, where kubelets run as pods: `/usr/local/bin/kubelet` on a Debian with `mount`. */
    readonly kubelet: string;
    /** etcd of the cluster's etcd version. */
    readonly etcd: string;
    /** HAProxy, in front of each kube-apiserver. */
    readonly haproxy: string;
    /** CoreDNS. */
    readonly coredns: string;
    /** flannel's daemon. */
    readonly flannel: string;
    /** flannel's CNI plugin. */
    readonly flannelCniPlugin: string;
    /** kube-router, which enforces NetworkPolicies. */
    readonly kubeRouter: string;
    /** metrics-server, which serves the metrics API. */
    readonly metricsServer: string;
    /** The OpenTelemetry Collector with the components of its contrib image, as `/otelcol-contrib`. */
    readonly logCollector: string;
    /** Prometheus, as `prometheus` in its path. */
    readonly prometheus: string;
    /** The provisioner of local clusters' storage class. */
    readonly localPathProvisioner: string;
    /** BusyBox, which makes and removes its volumes. */
    readonly busybox: string;
    /** The container that holds a pod's namespaces. */
    readonly pause: string;
    /** Node.js 22, which runs the agents. */
    readonly node: string;
}

/** Cluster options shared by every cloud: plain data, known at preview. */
export interface ClusterOptions extends CommonOptions {
    /** Cluster name: a DNS label. */
    name: string;
    /** DNS zone of all clusters. This cluster uses `<name>.<domain>`. @default "tradewind.internal" */
    domain?: string;
    controllers?: ControllerOptions;
    /** Worker pools. @default no workers */
    workerPools?: WorkerPoolOptions[];
    keys?: KeyOptions;
    /**
     * Cloud whose controller runs in the cluster. Nodes accept ordinary pods once it has initialized them. Cannot be
     * changed after creation.
     * @default none
     */
    cloudProvider?: CloudName;
    /**
     * Issuer of service account tokens whose keys are published.
     * @default tokens are of the cluster's own issuer
     */
    publicIssuer?: PublicIssuer;
    /** Images of the cloud's controllers, instead of the release's. @default the release's images */
    cloudImages?: Partial<CloudImages>;
    /**
     * Whether the API has a load balancer. Without one, the API name resolves to the addresses of all controllers.
     * @default true
     */
    apiLoadBalancer?: boolean;
    /**
     * After which that load balancer closes an idle connection: `60s`. At least `10s`.
     * @default 5 minutes or more
     */
    apiIdleTimeout?: string;
    /**
     * Whether worker pools are created after everything in the cluster, so that nothing there may wait for a worker.
     * @default false
     */
    workersJoinLast?: boolean;
}

/** An issuer of service account tokens in addition to the cluster's own, which others can read the keys of. */
export interface PublicIssuer {
    /** With `https`, exactly as in the tokens' `iss`. */
    readonly url: string;
    /** Whether new tokens are of this issuer. Otherwise its tokens are only accepted. */
    readonly issuing: boolean;
}

/** Where logs are sent. */
export interface LogOptions {
    /** What the server takes: `otlp`, as Loki, Elasticsearch and OpenTelemetry collectors do, or `syslog` (RFC 5424). */
    protocol: string;
    /**
     * URL of the server: for `otlp` without `/v1/logs`, such as `https://loki.example/otlp`; for `syslog` with a port,
     * `tls://logs.example:6514` or `tcp://logs.example:601`.
     */
    url: string;
    /** Certificates of the CAs that issued the server's certificate, in PEM form. @default public CAs */
    ca?: string;
    /** Whether kube-apiserver's audit log is sent too. @default true, if there is an audit log */
    audit?: boolean;
}

/** HTTP headers for the server that `logs` are sent to, by name. Secrets. */
export type LogHeaders = Record<string, string>;

/** Prometheus in the cluster. */
export interface PrometheusOptions {
    /**
     * Base URLs of the Alertmanagers that alerts are sent to: `http://alertmanager.monitoring.svc:9093`.
     * @default none: alerts are only on the page
     */
    alertmanagers?: string[];
    /** How long samples are kept: `1h` or more. @default "15d" */
    retention?: string;
    /** Size of the volume for samples. When it is nearly full, the oldest are removed. Unit: GiB. @default 10 */
    storageSize?: number;
    /**
     * Storage class of a volume that outlives the pod.
     * @default none: samples are on the disk of the pod's node, and removed with the pod
     */
    storageClass?: string;
    /** Memory that it may use: 256 or more. Unit: MiB. @default 1024 */
    memory?: number;
}

/** When nodes whose OS requests a reboot may be rebooted, one at a time. */
export interface OsRebootOptions {
    /**
     * Weekly windows, in UTC, in which a reboot may start: `Sun 02:00-05:00`, `Mon-Fri 22:00-02:00`, or `02:00-05:00`
     * for every day. 15 minutes or longer. `[]` for no reboots.
     * @see docs/os-reboots.md
     */
    windows: string[];
}

/** When machines whose nodes are not Ready are repaired. */
export interface RepairOptions {
    /** How long a node must not be Ready before its machine is restarted: from `2m` to `1d`. @default "5m" */
    restartAfter?: string;
    /**
     * How long a node must not be Ready before its machine is replaced: at least 2 minutes longer than `restartAfter`.
     * @default "15m"
     */
    replaceAfter?: string;
    /**
     * How many of a pool's machines may be under repair at a time, and replaced in an hour: from 1 to 50, but at least one
     * machine. Unit: percent.
     * @default 20
     */
    maxUnavailablePercentage?: number;
}

/** A registry that has the images of another one, or that registry itself with its CA. */
export interface RegistryMirrorOptions {
    /** Registry whose images it has: `docker.io`, `registry.example:5000`, or `*` for all that no other entry names. */
    registry: string;
    /**
     * Base URLs, tried in order, then the registry itself: `https://mirror.example`. With `/v2` in its path, a URL is used as
     * it is, as for projects of Harbor: `https://harbor.example/v2/proxy`.
     * @minItems 1
     */
    urls: string[];
    /** Certificates of the CAs that the URLs' certificates are signed by, in PEM form. @default those that the OS trusts */
    ca?: string;
}

/** A login for a mirror. */
export interface RegistryLogin {
    /** A secret. */
    username: string;
    /** A secret. */
    password: string;
}

/** Logins by the `registry` of an entry of `registryMirrors`, for HTTP basic authentication. Secrets. */
export type RegistryCredentials = Record<string, RegistryLogin>;

/** An HTTP proxy. Set `httpProxy`, `httpsProxy` or both. */
export interface ProxyOptions {
    /** URL of the proxy for `http://` URLs, without credentials: `http://proxy.example:3128`. @default none */
    httpProxy?: string;
    /** URL of the proxy for `https://` URLs. @default none */
    httpsProxy?: string;
    /**
     * Hosts, domains (`.corp.example`), addresses and blocks that are reached directly, in addition to the cluster's
     * own networks and names.
     * @default []
     */
    noProxy?: string[];
}

/**
 * Components that run as pods in addition to the control plane. They can be moved back and forth with `pulumi up`.
 * @see docs/levels.md
 */
export interface SelfHostedOptions {
    /**
     * Whether kubelets run as pods. The host's kubelet stays on standby on each node and takes over when the pod stops.
     * @default false @see docs/levels.md#the-kubelet-0-4
     */
    kubelet?: boolean;
    /**
     * Whether etcd members run as pods on controllers. The machine's own etcd stays on standby and takes over when the
     * pod stops.
     * @default false @see docs/levels.md#etcd-1-4
     */
    etcd?: boolean;
}

/**
 * Generations of certificates. Certificates are reissued only when a number here changes, never because of the date.
 */
export interface CertificateOptions {
    /**
     * Change the number to reissue the certificates of the control plane and etcd; the control plane also gets new
     * keys. 1 or more. No machine is replaced.
     * @default 1 @see docs/certificates.md#reissue-certificates
     */
    generation?: number;
    /**
     * Change the number to reissue the administrator's certificate and with it the kubeconfig: 1 or more. The previous
     * one loses its permissions, or with `system:masters` stays valid until it expires.
     * @default 1
     */
    administrator?: number;
    /**
     * Group of the administrator's certificate. `tradewind:administrators` has all permissions by a ClusterRoleBinding,
     * so they can be revoked. `system:masters` has them as long as the Kubernetes CA exists.
     * @default "tradewind:administrators" @see docs/authentication.md#the-administrator
     */
    administratorGroup?: string;
    /**
     * Serving certificates of kubelets: `own` are self-signed and not verified; `issued` are issued by the cluster for
     * the names and addresses of the machines that the stack created; `verified` are also verified by kube-apiserver.
     * Existing kubelets restart node by node. `verified` takes `issued` first, in an earlier `up`, except in a new cluster.
     * @default "verified" @see docs/certificates.md#kubelets
     */
    kubeletServing?: string;
    /**
     * Which kubelets may renew their client certificate: `listed` (machines in the stack) or `any` (also removed
     * machines).
     * @default "listed" @see docs/certificates.md#kubelets
     */
    kubeletRenewal?: string;
}

/**
 * Pod Security Standards for all namespaces: `privileged` (no restriction), `baseline` or `restricted`. A namespace's
 * `pod-security.kubernetes.io` labels take precedence.
 * @see docs/security.md#pods
 */
export interface PodSecurityOptions {
    /** Pods that violate this level are refused. @default "baseline" */
    enforce?: string;
    /** Pods that violate this level are annotated in the audit log. @default "restricted" */
    audit?: string;
    /** Clients that create pods that violate this level get a warning. @default "restricted" */
    warn?: string;
    /** Namespaces in which every pod is allowed, in addition to `kube-system`. @default [] */
    exemptNamespaces?: string[];
}

/**
 * Events that each kube-apiserver accepts; it drops further ones. Bursts may be ten times as large. 0 stands for no
 * limit.
 */
export interface EventRateLimitOptions {
    /** Events per second of all namespaces. @default 200 */
    server?: number;
    /** Events per second of each namespace. @default 50 */
    namespace?: number;
}

/** Lists of keys identified by number only. */
export interface KeyGenerations {
    /** Keys that sign service account tokens. @default [1] @see docs/key-rotation.md */
    serviceAccount?: number[];
    /**
     * CAs of the client certificate that kube-apiserver presents to aggregated APIs.
     * @default [1] @see docs/key-rotation.md#aggregated-apis
     */
    frontProxyCa?: number[];
    /**
     * CAs of the certificates of etcd members and clients. Each step restarts the members one at a time.
     * @default [1] @see docs/key-rotation.md#etcd-ca
     */
    etcdCa?: number[];
    /**
     * CAs of the certificates of kube-apiserver, the kubelets and the administrator. Each step restarts the kubelets
     * node by node.
     * @default [1] @see docs/key-rotation.md#kubernetes-ca
     */
    kubernetesCa?: number[];
    /**
     * SHA-256 in hexadecimal of the generations whose keys you give in `givenKeys`: of a CA's certificate, or of the
     * public key that verifies tokens, both in DER. The stack creates all others.
     * @default none @see docs/key-rotation.md#your-own-cas
     */
    given?: GivenFingerprints;
}

/** SHA-256 of given keys, by kind and generation. */
export interface GivenFingerprints {
    /** Of the public keys. @default none */
    serviceAccount?: Record<string, string>;
    /** Of the certificates. @default none */
    frontProxyCa?: Record<string, string>;
    /** Of the certificates. @default none */
    etcdCa?: Record<string, string>;
    /** Of the certificates. @default none */
    kubernetesCa?: Record<string, string>;
}

/** CAs and keys of your own, by generation, in place of those that the stack would create. @see docs/key-rotation.md#your-own-cas */
export interface GivenKeys {
    /** PEM of private keys that sign service account tokens. @default none */
    serviceAccount?: Record<string, string>;
    /** CAs of the client certificate for aggregated APIs. @default none */
    frontProxyCa?: Record<string, GivenCa>;
    /** CAs of etcd's members and clients. @default none */
    etcdCa?: Record<string, GivenCa>;
    /** CAs of all other components. Their common names must be `kubernetes-ca`, `kubernetes-ca-2` and so on. @default none */
    kubernetesCa?: Record<string, GivenCa>;
}

/** A CA: a root, or an intermediate one. */
export interface GivenCa {
    /** PEM of its own certificate only, without the certificates above it. */
    certificate: string;
    /** PEM of its private key: ECDSA P-256 or P-384, or RSA with 2048 bits or more. */
    key: string;
}

/**
 * Keys by generation: the first one is used, all of them are accepted. Rotation takes three steps, each one `pulumi
 * up`: `[1, 2]`, `[2, 1]`, `[2]`. Skipping a step is refused.
 */
export interface KeyOptions extends KeyGenerations {
    /**
     * Keys that encrypt Secrets in etcd, `plain` for none: `["plain", 1]`, `[1, "plain"]` and `[1]` turn encryption on.
     * @default [1] @see docs/key-rotation.md#secrets-in-etcd
     */
    encryption?: (number | "plain")[];
}

/** When etcd snapshots are taken and which are kept. @see docs/etcd.md#snapshots */
export interface EtcdSnapshotOptions {
    /** Time between two snapshots: `30m`, `12h`, `1d`; `1m` or more. @default "1h" */
    interval?: string;
    /** How many snapshots to keep: 1 or more. @default 24 */
    keep?: number;
    /** Age at which snapshots are removed, except for the newest: `1h` or more. @default no limit */
    maxAge?: string;
    /** Directory on the controller that takes them. @default "/var/lib/tradewind/etcd-snapshots" */
    directory?: string;
    /**
     * Keys of the stack that encrypt snapshots in a store, by generation: the first one encrypts, and a restore decrypts
     * with any of them. Removing one from the list deletes it. Not used to encrypt if there is an `encryptionKey`.
     * @default [1] with a store @see docs/etcd.md#encryption
     */
    keys?: number[];
    /** Each snapshot is also uploaded here. @default none */
    s3?: EtcdS3Options;
}

/** An existing bucket in an S3-compatible store. */
export interface EtcdS3Options {
    /** URL without a path or bucket: `https://s3.eu-central-1.amazonaws.com`. */
    endpoint: string;
    /** Name of an existing bucket. */
    bucket: string;
    /** Region used to sign requests. @default "us-east-1" */
    region?: string;
    /** Prefix of every object key. @default the cluster's name */
    prefix?: string;
    /**
     * Whether snapshots are encrypted with AES-256-GCM before they are uploaded: with the `encryptionKey`, otherwise with
     * a key of the stack (`etcdSnapshots.keys`).
     * @default true @see docs/etcd.md#encryption
     */
    isEncrypted?: boolean;
    /**
     * Whether snapshots that are not encrypted may be uploaded to an `http://` endpoint.
     * @default false
     */
    plainHttp?: boolean;
    /**
     * AWS only: use the bucket with the role of the controllers' instances, to which the stack adds the permissions,
     * instead of with keys. The secrets then hold at most the encryption key.
     * @default false @see docs/aws.md#snapshots-in-s3
     */
    instanceRole?: boolean;
}

/** Credentials for the bucket. */
export interface EtcdSnapshotSecrets {
    /**
     * Access key that may read, write, list and delete objects. A secret: `pulumi config set --secret --path`.
     * @default none with `instanceRole`
     */
    accessKeyId?: string;
    /** Secret access key. A secret. @default none with `instanceRole` */
    secretAccessKey?: string;
    /**
     * 32 random bytes in base64 (`openssl rand -base64 32`). Snapshots are encrypted with it before they are uploaded,
     * instead of with a key of the stack, and cannot be restored without it. A secret.
     * @default a key of the stack @see docs/etcd.md#encryption
     */
    encryptionKey?: string;
}

export interface ControllerOptions {
    /**
     * How many controllers: 1, 3 or 5, so that etcd has a majority; 2 with an `arbiter`. @default 1 @see docs/scaling.md
     */
    count?: number;
    /**
     * Whether two controllers have an arbiter: a third, small machine that runs a member of etcd and nothing else of the
     * control plane. Only for local clusters. @default false @see docs/arbiter.md
     */
    arbiter?: boolean;
    /**
     * Names of worker pools whose nodes may become controllers: if a controller is lost, one of them takes its place.
     * On AWS, these pools are single instances, not groups.
     * @default [] @see docs/candidates.md
     */
    candidates?: string[];
    /**
     * How long a controller must be lost until a candidate replaces it: from `10s` to `1d`.
     * @default "1m" @see docs/candidates.md
     */
    replaceAfter?: string;
    /**
     * Node labels in addition to the role label. From `kubernetes.io` and `k8s.io`, only `node.kubernetes.io/`,
     * `kubelet.kubernetes.io/` and, without a cloud controller, `topology.kubernetes.io/zone` and `region` are allowed:
     * a kubelet may not set others on its own node.
     * @default {}
     */
    labels?: Record<string, string>;
    /**
     * Whether pods that do not tolerate the control-plane taint may run on controllers.
     * @default true without workers
     */
    schedulable?: boolean;
    /** Ignition JSON (3.0 to 3.5) merged over the generated config; the snippet takes precedence. @default [] */
    snippets?: string[];
}

export interface WorkerPoolOptions {
    /** Part of the node names, `<cluster>-<pool>-<index>`: a DNS label, unique in the cluster, not `controller` or `arbiter`. */
    name: string;
    /** How many workers. @default 1 @see docs/scaling.md */
    count?: number;
    /** Labels of the pool's nodes, with the same rules as for controllers. @default {} */
    labels?: Record<string, string>;
    /**
     * Taints of the pool's nodes: `key=value:Effect` or `key:Effect`; the effects are `NoSchedule`, `PreferNoSchedule`,
     * `NoExecute`. @default []
     */
    taints?: string[];
    /**
     * How many of the pool's nodes may be drained at the same time when kubelets are upgraded: 1 or more.
     * @default 1 @see docs/kubelets.md
     */
    maxUnavailable?: number;
    /** The same as a percentage of the pool's nodes, rounded up: 1 to 100. @default - `maxUnavailable` @see docs/kubelets.md */
    maxUnavailablePercentage?: number;
    /**
     * How long draining a node of the pool may take before its kubelet or container runtime is replaced or its OS
     * reboots: from `30s` to `2h`. Pods that remain after that are reported, never evicted by force. On AWS, also how
     * long an instance that the group terminates may take to drain; the kubelet's shutdown stops the remaining pods.
     * @default "5m" @see docs/kubelets.md#drain-timeout
     */
    drainTimeout?: string;
    /** Ignition JSON (3.0 to 3.5) merged over the generated config; the snippet takes precedence. @default [] */
    snippets?: string[];
}

export interface NetworkOptions {
    /** Pod addresses: an IPv4 block of /22 or larger; every node gets a /24. @default "10.2.0.0/16" */
    podCidr?: string;
    /**
     * Service addresses: an IPv4 block between /12 and /24. The first is the API's, the tenth is cluster DNS.
     * @default "10.3.0.0/16"
     */
    serviceCidr?: string;
    /**
     * IPv6 pod addresses in addition to IPv4 ones, on a local cluster, or on AWS with `ipv6`: a unique local block between
     * /48 and /62, on a local cluster also a global one; every node gets a /64. Requires `serviceCidr6`.
     * @default none @see docs/configuration.md#ipv6
     */
    podCidr6?: string;
    /** IPv6 service addresses. Requires `podCidr6`: a block between /108 and /120. @default none */
    serviceCidr6?: string;
    /** DNS domain of services. @default "cluster.local" */
    clusterDomain?: string;
    /**
     * How kube-proxy programs the kernel: `nftables` or `iptables`; `none` to leave kube-proxy out, if the CNI that you
     * install replaces it.
     * @default "nftables" @see docs/cni.md#without-kube-proxy
     */
    kubeProxyMode?: string;
    /**
     * What gives pods their network: `flannel`, `kube-router` (on clouds with an image of your own), or `none`: nodes
     * wait for the CNI that you install. Can change while pods run.
     * @default "flannel" @see docs/cni.md
     */
    cni?: string;
    /**
     * Whether NetworkPolicies are `enforced` or `ignored`. Before `ignored`, `cleared` removes the rules from every node.
     * @default "enforced"; "ignored" with `cni` `none` @see docs/network-policies.md
     */
    networkPolicies?: string;
    /**
     * Whether kube-proxy leaves the kernel's connection tracking limits unchanged, as it must in a container.
     * @default false
     */
    keepConntrackLimits?: boolean;
    /**
     * Whether controllers refuse packets of the pod network to etcd's ports and SSH, which reach them inside VXLAN past
     * the cloud's firewall. Applies to machines that are created from then on.
     * @default true @see docs/secure-defaults.md
     */
    controllerGuard?: boolean;
    /** Cluster DNS. @default two replicas of CoreDNS that use the servers of their nodes @see docs/dns.md */
    dns?: DnsOptions;
}

/** Cluster DNS, which is CoreDNS. @see docs/dns.md */
export interface DnsOptions {
    /**
     * Servers for names outside the cluster, at most 15: addresses with an optional port, such as `10.0.0.2`,
     * `10.0.0.2:5353` and `[fd00::2]:53`. With an empty list, other names do not resolve.
     * @default the servers of the node that a replica runs on
     */
    upstreams?: string[];
    /**
     * Additional server blocks of CoreDNS' configuration, for zones of your own.
     * @default none @see docs/dns.md#server-blocks
     */
    serverBlocks?: string;
    /**
     * Whether both replicas may run on one node: with `required` the second one waits for another node, with
     * `preferred` it takes the first one that is ready.
     * @default "required" @see docs/dns.md#replicas
     */
    spread?: string;
}

/**
 * Extra command-line flags by component, without the leading dashes. They override the generated ones; lists are
 * appended. Flags that define the cluster's identity or protect it are refused.
 * @see docs/flags.md
 */
export interface ComponentOptions {
    /** Flags of kube-apiserver. @default {} */
    kubeApiserver?: Record<string, string>;
    /** Flags of kube-controller-manager. @default {} */
    kubeControllerManager?: Record<string, string>;
    /** Flags of kube-scheduler. @default {} */
    kubeScheduler?: Record<string, string>;
    /** Flags of kubelets, which are updated node by node. @default {} @see docs/kubelets.md */
    kubelet?: Record<string, string>;
    /** Flags of etcd members, which are updated one at a time. @default {} @see docs/etcd.md#changes */
    etcd?: Record<string, string>;
    /** Flags of kube-proxy, which is updated node by node. @default {} */
    kubeProxy?: Record<string, string>;
    /** Flags of CoreDNS. Its configuration is `dns`. @default {} */
    coredns?: Record<string, string>;
    /** Flags of flannel, which is updated node by node. @default {} */
    flannel?: Record<string, string>;
    /** Flags of kube-router, which is updated node by node. @default {} */
    kubeRouter?: Record<string, string>;
}

/** Files and host directories in the pods of control-plane components, for flags that name them. @see docs/control-plane-files.md */
export interface ControlPlaneFileOptions {
    /** Of kube-apiserver. @default none */
    kubeApiserver?: ComponentFileOptions;
    /** Of kube-controller-manager. @default none */
    kubeControllerManager?: ComponentFileOptions;
    /** Of kube-scheduler. @default none */
    kubeScheduler?: ComponentFileOptions;
}

export interface ComponentFileOptions {
    /** Contents of files by name, in `/etc/kubernetes/files`. Previews show them. @default {} */
    files?: Record<string, string>;
    /** Names of secret files, in `/etc/kubernetes/secret-files`. @default [] */
    secretFiles?: string[];
    /**
     * Directories of controllers, mounted writable at the same path: below `/var/log`, `/var/lib` or `/run`. Missing ones
     * are created, accessible to root and the component only.
     * @default []
     */
    hostDirectories?: string[];
}

/** Contents of the secret files that `controlPlaneFiles` names. */
export interface ControlPlaneSecretFiles {
    /** Contents by file name, for kube-apiserver. @default none */
    kubeApiserver?: Record<string, string>;
    /** Contents by file name, for kube-controller-manager. @default none */
    kubeControllerManager?: Record<string, string>;
    /** Contents by file name, for kube-scheduler. @default none */
    kubeScheduler?: Record<string, string>;
}
