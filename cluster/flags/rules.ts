import { issuerOf } from "../keys/credentials";
import type { Program } from "./known";
import { kubelet } from "./kubelet";
import { nodeMask, nodeMask4, nodeMask6 } from "./pod-blocks";
import {
    checked,
    client,
    distinctNames,
    entriesOf,
    type FlagRule,
    type FlagRules,
    featureGates,
    free,
    keeps,
    merged,
    owned,
    serving,
} from "./rule";

const etcd: FlagRules = {
    ...owned("the program would print it and end", ["version"]),
    ...owned("it would replace all flags", ["config-file"]),
    ...owned("members are named and found by the stack", [
        "advertise-client-urls",
        "discovery*",
        "force-new-cluster",
        "initial-advertise-peer-urls",
        "initial-cluster*",
        "listen-*",
        "name",
        "socket-reuse-*",
    ]),
    ...owned("snapshots and recovery expect the data there", ["data-dir", "wal-dir"]),
    ...owned(
        "members have certificates from etcd's own CA",
        [
            "auto-tls",
            "cert-file",
            "client-cert-file",
            "client-key-file",
            "key-file",
            "peer-auto-tls",
            "peer-cert-file",
            "peer-client-cert-file",
            "peer-client-key-file",
            "peer-key-file",
            "peer-trusted-ca-file",
            "trusted-ca-file",
        ],
        "`keys.etcdCa`",
    ),
    ...owned("only certificates from etcd's own CA may ask it", [
        "client-cert-allowed-hostname",
        "client-cert-auth",
        "client-crl-file",
        "peer-cert-allowed-*",
        "peer-client-cert-auth",
        "peer-crl-file",
        "*peer-skip-client-san-verification",
    ]),
    ...owned("a power cut would lose data", ["unsafe-no-fsync"]),
    ...owned("it keeps a majority when members change", ["strict-reconfig-check"]),
    ...owned("it is set as a feature gate", ["experimental-initial-corrupt-check"], "`feature-gates`"),
    "tls-min-version": checked("older versions of TLS are not secure", (value) =>
        ["TLS1.2", "TLS1.3"].includes(value) ? undefined : "TLS1.2 or TLS1.3",
    ),
    "feature-gates": featureGates,
    ...free("4 GiB", ["quota-backend-bytes"]),
    ...free("hourly", ["auto-compaction-mode", "auto-compaction-retention"]),
};

/** Admission plugins that the cluster depends on. Source: kube-apiserver's default ones, and what docs/security.md promises. */
const neededPlugins = [
    "NodeRestriction",
    "ServiceAccount",
    "ValidatingAdmissionPolicy",
    "CertificateApproval",
    "CertificateSigning",
    "CertificateSubjectRestriction",
    "ClusterTrustBundleAttest",
    "NamespaceLifecycle",
    "Priority",
    "TaintNodesByCondition",
] as const;

/** APIs whose absence would stop the cluster itself. */
const neededApis =
    /^(api\/(all|ga)|v1|(apps|batch|policy|rbac\.authorization\.k8s\.io|(admissionregistration|authentication|authorization|certificates|coordination|discovery|scheduling)\.k8s\.io)\/v1)$/;

const noFile = "the pod has no files but its own";

const kubeApiserver: FlagRules = {
    ...serving,
    ...owned("Node and RBAC authorization keep a node to its own pods", [
        "authorization-mode",
        "authorization-config",
        "authorization-policy-file",
        "authorization-webhook-config-file",
    ]),
    ...owned("anonymous requests are limited to a few paths by a file that excludes it", ["anonymous-auth"]),
    ...owned("clients are known by certificates and the cluster's own tokens", [
        "authentication-config",
        "authentication-token-webhook-config-file",
        "token-auth-file",
    ]),
    ...owned("single sign-on is not supported yet", ["oidc-*"]),
    ...owned("machines join by bootstrap tokens", ["enable-bootstrap-token-auth"]),
    ...owned("every controller has an etcd member with certificates of its own", [
        "etcd-cafile",
        "etcd-certfile",
        "etcd-keyfile",
        "etcd-prefix",
        "etcd-servers",
        "etcd-servers-overrides",
        "storage-backend",
    ]),
    ...owned("Secrets are encrypted by the stack's keys", ["encryption-provider-config*"], "`keys.encryption`"),
    ...owned("it has certificates for kubelets from the cluster's CA", ["kubelet-client-*"]),
    ...owned(
        "kubelets' certificates are the stack's choice",
        ["kubelet-certificate-authority"],
        "`certificates.kubeletServing`",
    ),
    ...owned("the kubelets' port is fixed", ["kubelet-port", "kubelet-read-only-port"]),
    ...owned("aggregated APIs know it by the stack's certificate", ["proxy-client-*"], "`keys.frontProxyCa`"),
    ...owned("another issuer makes every token in the cluster invalid", ["service-account-issuer"]),
    ...owned(
        "tokens are signed by the stack's keys",
        ["service-account-key-file", "service-account-signing-endpoint", "service-account-signing-key-file"],
        "`keys.serviceAccount`",
    ),
    ...owned("tokens of deleted service accounts must end", ["service-account-lookup"]),
    "api-audiences": checked("pods' tokens are for the issuer", (value, cluster) =>
        keeps(issuerOf(cluster.network))(value, cluster),
    ),
    ...owned("it is chosen once", ["service-cluster-ip-range"], "`serviceCidr` and `serviceCidr6`"),
    ...owned("controllers are reached at their own addresses", [
        "advertise-address",
        "apiserver-count",
        "endpoint-reconciler-type",
    ]),
    ...owned("kube-proxy and flannel are privileged pods", ["allow-privileged"]),
    ...owned("its load balancer drains in the same time", [
        "shutdown-delay-duration",
        "shutdown-send-retry-after",
        "shutdown-watch-termination-grace-period",
    ]),
    ...owned(noFile, [
        "admission-control-config-file",
        "audit-policy-file",
        "audit-webhook-config-file",
        "egress-selector-config-file",
        "peer-ca-file",
        "tracing-config-file",
    ]),
    ...owned("it replaces the list of admission plugins", ["admission-control"], "`enable-admission-plugins`"),
    "enable-admission-plugins": merged("plugins are added to NodeRestriction"),
    "disable-admission-plugins": checked(`the cluster needs ${neededPlugins.join(", ")}`, (value) => {
        const off = entriesOf(value).map((entry) => entry.toLowerCase());
        const needed = neededPlugins.filter((plugin) => off.includes(plugin.toLowerCase()));
        return needed.length > 0 ? `a list without ${needed.join(", ")}` : undefined;
    }),
    "runtime-config": merged("the cluster needs Kubernetes' stable APIs", (value, cluster) => {
        const off = entriesOf(value).filter((entry) => {
            const [api = "", on = "true"] = entry.split("=").map((part) => part.trim());
            return neededApis.test(api) && on.toLowerCase() !== "true" && on !== "1";
        });
        return off.length > 0 ? `a list without ${off.join(", ")}` : distinctNames(value, cluster);
    }),
    ...free("the address inside the network first", ["kubelet-preferred-address-types"]),
};

/** Controllers without which the cluster does not work, by their names and by those of before 1.27. */
const neededControllers: Readonly<Record<string, string>> = {
    bootstrapsigner: "bootstrap-signer-controller",
    tokencleaner: "token-cleaner-controller",
    csrsigning: "certificatesigningrequest-signing-controller",
    csrcleaner: "certificatesigningrequest-cleaner-controller",
    nodeipam: "node-ipam-controller",
    nodelifecycle: "node-lifecycle-controller",
    daemonset: "daemonset-controller",
    deployment: "deployment-controller",
    replicaset: "replicaset-controller",
    job: "job-controller",
    endpoint: "endpoints-controller",
    endpointslice: "endpointslice-controller",
    namespace: "namespace-controller",
    serviceaccount: "serviceaccount-controller",
    "serviceaccount-token": "serviceaccount-token-controller",
    "root-ca-cert-publisher": "root-ca-certificate-publisher-controller",
    podgc: "pod-garbage-collector-controller",
    garbagecollector: "garbage-collector-controller",
    disruption: "disruption-controller",
};

const kubeControllerManager: FlagRules = {
    ...client,
    "authorization-always-allow-paths": checked("probes have no credentials", keeps("/healthz", "/readyz", "/livez")),
    ...owned("nodes take their pods' addresses from it", ["allocate-node-cidrs", "cidr-allocator-type"]),
    ...owned("it is chosen once", ["cluster-cidr"], "`podCidr` and `podCidr6`"),
    ...owned("it is chosen once", ["service-cluster-ip-range"], "`serviceCidr` and `serviceCidr6`"),
    ...owned("it is the stack's name", ["cluster-name"]),
    ...owned(
        "certificates come from the cluster's CA",
        ["cluster-signing-*-file", "root-ca-file"],
        "`keys.kubernetesCa`",
    ),
    ...owned("tokens are signed by the stack's keys", ["service-account-private-key-file"], "`keys.serviceAccount`"),
    ...owned("each controller has only the permissions that it needs", ["use-service-account-credentials"]),
    ...owned(
        "clouds have controllers of their own",
        ["cloud-config", "cloud-provider", "external-cloud-volume-plugin"],
        "`hasCloudController`",
    ),
    ...owned("the pod has no files but its own", ["leader-migration-config", "pv-recycler-pod-template-filepath-*"]),
    controllers: merged(
        `entries are added to \`*,bootstrapsigner,tokencleaner\`; the cluster needs ${Object.keys(neededControllers).join(", ")}`,
        (value) => {
            const entries = entriesOf(value);
            const off = Object.entries(neededControllers)
                .flat()
                .filter((name) => entries.includes(`-${name}`));
            return off.length > 0 ? `a list without ${off.map((name) => `-${name}`).join(", ")}` : undefined;
        },
    ),
    "node-cidr-mask-size": checked("each node's pods and all nodes need addresses", nodeMask),
    "node-cidr-mask-size-ipv4": checked("as `node-cidr-mask-size`", nodeMask4),
    "node-cidr-mask-size-ipv6": checked("as `node-cidr-mask-size`", nodeMask6),
    ...free("shorter while a cluster starts", [
        "leader-elect-lease-duration",
        "leader-elect-renew-deadline",
        "leader-elect-retry-period",
    ]),
    ...free("more while a cluster starts", ["kube-api-burst", "kube-api-qps"]),
};

const kubeScheduler: FlagRules = {
    ...client,
    "authorization-always-allow-paths": checked("probes have no credentials", keeps("/healthz", "/readyz", "/livez")),
    ...owned("it replaces the flags, and the pod has no files but its own", ["config"]),
    ...owned("the program would write it and end", ["write-config-to"]),
};

/** What `components` may do to each program's flags: the source of checks, of merging and of docs/flags.md. */
export const flagRules: Readonly<Record<Program, FlagRules>> = {
    "kube-apiserver": kubeApiserver,
    "kube-controller-manager": kubeControllerManager,
    "kube-scheduler": kubeScheduler,
    kubelet,
    etcd,
};

/** The rule of a flag; undefined where it is free. */
export function flagRule(program: Program, flag: string): FlagRule | undefined {
    const rules = flagRules[program];
    const [, rule] = Object.entries(rules).find(([pattern]) => matches(pattern, flag)) ?? [];
    return rule;
}

/** Whether a rule's name stands for a flag. */
export function matches(pattern: string, flag: string): boolean {
    return new RegExp(`^${pattern.split("*").join(".*")}$`).test(flag);
}
