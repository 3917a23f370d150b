import { admissionConfiguration, limitsEvents } from "../admission";
import { filesPath } from "../control-plane-files";
import { issuerOf } from "../keys/credentials";
import { isEncrypting } from "../keys/encryption";
import { credentialsPath } from "../manifests/pod";
import { coredns, flannel, kubeProxy, kubeRouter } from "./addons";
import type { Program } from "./known";
import { kubelet } from "./kubelet";
import { nodeMask, nodeMask4, nodeMask6 } from "./pod-blocks";
import {
    checked,
    cipherSuites,
    client,
    distinctNames,
    entriesOf,
    type FlaggedCluster,
    type FlagRule,
    type FlagRules,
    featureGates,
    fileOf,
    free,
    keeps,
    merged,
    owned,
    serving,
    staysOff,
    staysOn,
} from "./rule";

const etcd: FlagRules = {
    ...owned("the program would print it and exit", ["version"]),
    ...owned("it would replace all flags", ["config-file"]),
    ...owned("the stack sets the members' names and addresses", [
        "advertise-client-urls",
        "discovery*",
        "force-new-cluster",
        "initial-advertise-peer-urls",
        "initial-cluster*",
        "listen-*",
        "name",
        "socket-reuse-*",
    ]),
    ...owned("snapshots and recovery depend on the data directory", ["data-dir", "wal-dir"]),
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
    ...owned("only clients with certificates from etcd's own CA are accepted", [
        "client-cert-allowed-hostname",
        "client-cert-auth",
        "client-crl-file",
        "peer-cert-allowed-*",
        "peer-client-cert-auth",
        "peer-crl-file",
        "*peer-skip-client-san-verification",
    ]),
    ...owned("a power failure would lose data", ["unsafe-no-fsync"]),
    ...owned("it protects the majority when members change", ["strict-reconfig-check"]),
    ...owned("it is a feature gate now", ["experimental-initial-corrupt-check"], "`feature-gates`"),
    "cipher-suites": cipherSuites,
    "enable-pprof": checked("clients could read its memory", staysOff),
    "tls-min-version": checked("older TLS versions are insecure", (value) =>
        ["TLS1.2", "TLS1.3"].includes(value) ? undefined : "TLS1.2 or TLS1.3",
    ),
    "feature-gates": featureGates,
    ...free("4 GiB", ["quota-backend-bytes"]),
    ...free("hourly", ["auto-compaction-mode", "auto-compaction-retention"]),
};

/**
 * Admission plugins that the cluster depends on. Source: kube-apiserver's default ones and the guarantees in
 * docs/security.md.
 */
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
    // Volumes that pods use would be deleted.
    "StorageObjectInUseProtection",
] as const;

/** Admission plugins that other options configure, with the option and the value that turns them off there. */
function configuredPlugins({ admission }: Pick<FlaggedCluster, "admission">): Readonly<Record<string, string>> {
    const { enforce, audit, warn } = admission.podSecurity;
    return {
        ...([enforce, audit, warn].some((level) => level !== "privileged") && {
            PodSecurity: "podSecurity (enforce, audit and warn: privileged)",
        }),
        ...(limitsEvents(admission) && { EventRateLimit: "eventRateLimit (server and namespace: 0)" }),
        ...(admission.externalIPs === "denied" && { DenyServiceExternalIPs: "externalIPs (allowed)" }),
    };
}

/** APIs that the cluster itself cannot work without. */
const neededApis =
    /^(api\/(all|ga)|v1|(apps|batch|policy|rbac\.authorization\.k8s\.io|(admissionregistration|authentication|authorization|certificates|coordination|discovery|scheduling)\.k8s\.io)\/v1)$/;

const kubeApiserver: FlagRules = {
    ...serving,
    ...owned("Node and RBAC authorization restrict nodes to their own pods", [
        "authorization-mode",
        "authorization-config",
        "authorization-policy-file",
        "authorization-webhook-config-file",
    ]),
    ...owned("a configuration file limits anonymous requests to a few paths and excludes the flag", ["anonymous-auth"]),
    ...owned("clients authenticate with certificates, the cluster's own tokens or those of issuers", [
        "authentication-token-webhook-config-file",
        "token-auth-file",
    ]),
    ...owned("the stack writes the file", ["authentication-config"], "`authentication`"),
    ...owned("kube-apiserver excludes them with a configuration file", ["oidc-*"], "`authentication.jwt`"),
    ...owned("machines join with bootstrap tokens", ["enable-bootstrap-token-auth"]),
    ...owned("every controller has an etcd member with its own certificates", [
        "etcd-cafile",
        "etcd-certfile",
        "etcd-keyfile",
        "etcd-prefix",
        "etcd-servers",
        "etcd-servers-overrides",
        "storage-backend",
    ]),
    "encryption-provider-config": fileOf("kubeApiserver", (_, { keys }) =>
        isEncrypting(keys) ? "unset when keys.encryption is not plain" : undefined,
    ),
    ...owned("a changed file replaces the pods", ["encryption-provider-config-automatic-reload"]),
    ...owned("its client certificate for kubelets comes from the cluster's CA", ["kubelet-client-*"]),
    ...owned(
        "the stack manages the kubelets' certificates",
        ["kubelet-certificate-authority"],
        "`certificates.kubeletServing`",
    ),
    ...owned("the kubelet port is fixed", ["kubelet-port", "kubelet-read-only-port"]),
    ...owned("aggregated APIs authenticate it by the stack's certificate", ["proxy-client-*"], "`keys.frontProxyCa`"),
    ...owned(
        "another issuer would invalidate every token in the cluster",
        ["service-account-issuer"],
        "`serviceAccountRoles` on AWS",
    ),
    ...owned(
        "tokens are signed with the stack's keys",
        ["service-account-key-file", "service-account-signing-endpoint", "service-account-signing-key-file"],
        "`keys.serviceAccount`",
    ),
    ...owned("tokens of deleted service accounts must become invalid", ["service-account-lookup"]),
    "api-audiences": checked("pod tokens have the issuer as their audience", (value, cluster) =>
        keeps(issuerOf(cluster.network))(value, cluster),
    ),
    ...owned("it cannot be changed after creation", ["service-cluster-ip-range"], "`serviceCidr` and `serviceCidr6`"),
    ...owned("controllers are reached by their own addresses", [
        "advertise-address",
        "apiserver-count",
        "endpoint-reconciler-type",
    ]),
    ...owned("kube-proxy and flannel are privileged pods", ["allow-privileged"]),
    ...owned("it must match the drain time of its load balancer", [
        "shutdown-delay-duration",
        "shutdown-send-retry-after",
        "shutdown-watch-termination-grace-period",
    ]),
    ...Object.fromEntries(
        [
            "audit-policy-file",
            "audit-webhook-config-file",
            "egress-selector-config-file",
            "peer-ca-file",
            "tracing-config-file",
        ].map((flag) => [flag, fileOf("kubeApiserver")]),
    ),
    "audit-log-path": checked("each pod writes files of its own, in /var/log/kubernetes/audit", (_, { auditLog }) =>
        auditLog ? "unset when auditLog is on" : undefined,
    ),
    ...free("100 MB a file, 10 files, 30 days, compressed", [
        "audit-log-compress",
        "audit-log-maxage",
        "audit-log-maxbackup",
        "audit-log-maxsize",
    ]),
    "admission-control-config-file": fileOf("kubeApiserver", (_, { admission }) =>
        admissionConfiguration(admission) ? "unset when podSecurity or eventRateLimit is on" : undefined,
    ),
    ...owned("it replaces the list of admission plugins", ["admission-control"], "`enable-admission-plugins`"),
    "enable-admission-plugins": merged(
        "plugins are added to NodeRestriction; AlwaysDeny would refuse everything",
        (value) => (entriesOf(value).includes("AlwaysDeny") ? "a list without AlwaysDeny" : undefined),
    ),
    "disable-admission-plugins": checked(`the cluster needs ${neededPlugins.join(", ")}`, (value, cluster) => {
        const off = entriesOf(value).map((entry) => entry.toLowerCase());
        const needed = neededPlugins.filter((plugin) => off.includes(plugin.toLowerCase()));
        if (needed.length > 0) return `a list without ${needed.join(", ")}`;
        const configured = Object.entries(configuredPlugins(cluster)).find(([name]) =>
            off.includes(name.toLowerCase()),
        );
        return configured && `a list without ${configured[0]}, which is configured by ${configured[1]}`;
    }),
    ...Object.fromEntries(
        ["enable-garbage-collector", "enable-priority-and-fairness"].map((flag) => [
            flag,
            checked("the cluster needs it", staysOn),
        ]),
    ),
    ...owned("anything on the machine could read its memory", ["debug-socket-path"]),
    ...owned("it is part of the issuer", ["service-account-jwks-uri"], "`serviceAccountRoles` on AWS"),
    "runtime-config": merged("the cluster needs the stable Kubernetes APIs", (value, cluster) => {
        const off = entriesOf(value).filter((entry) => {
            const [api = "", on = "true"] = entry.split("=").map((part) => part.trim());
            // One resource of an API, too: admissionregistration.k8s.io/v1/validatingadmissionpolicies.
            const [group = "", version = "", resource] = api.split("/");
            return (
                neededApis.test(resource === undefined ? api : `${group}/${version}`) &&
                on.toLowerCase() !== "true" &&
                on !== "1"
            );
        });
        return off.length > 0 ? `a list without ${off.join(", ")}` : distinctNames(value, cluster);
    }),
    ...free("internal addresses first", ["kubelet-preferred-address-types"]),
    ...free("off, so that a pod's token expires after an hour", ["service-account-extend-token-expiration"]),
};

/** Controllers that the cluster cannot work without, by their current names and those before 1.27. */
const neededControllers: Readonly<Record<string, string>> = {
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
    "clusterrole-aggregation": "clusterrole-aggregation-controller",
    "pvc-protection": "persistentvolumeclaim-protection-controller",
    "pv-protection": "persistentvolume-protection-controller",
};

const kubeControllerManager: FlagRules = {
    ...client,
    "authorization-always-allow-paths": checked("probes are unauthenticated", keeps("/healthz", "/readyz", "/livez")),
    ...owned("it assigns nodes their pod addresses", ["allocate-node-cidrs", "cidr-allocator-type"]),
    ...owned("it cannot be changed after creation", ["cluster-cidr"], "`podCidr` and `podCidr6`"),
    ...owned("it cannot be changed after creation", ["service-cluster-ip-range"], "`serviceCidr` and `serviceCidr6`"),
    ...owned("it is the stack's name", ["cluster-name"]),
    ...owned(
        "certificates come from the cluster's CA",
        ["cluster-signing-*-file", "root-ca-file"],
        "`keys.kubernetesCa`",
    ),
    ...owned("tokens are signed with the stack's keys", ["service-account-private-key-file"], "`keys.serviceAccount`"),
    ...owned("each controller has only the permissions it needs", ["use-service-account-credentials"]),
    ...owned(
        "each cloud has its own controller",
        ["cloud-config", "cloud-provider", "external-cloud-volume-plugin"],
        "`cloudController`",
    ),
    "enable-garbage-collector": checked("the cluster needs it", staysOn),
    "leader-migration-config": fileOf("kubeControllerManager"),
    "pv-recycler-pod-template-filepath-*": fileOf("kubeControllerManager"),
    controllers: merged(
        `entries are added to \`*\`; the cluster needs ${Object.keys(neededControllers).join(", ")}`,
        (value) => {
            const entries = entriesOf(value);
            const off = Object.entries(neededControllers)
                .flat()
                .filter((name) => entries.includes(`-${name}`));
            return off.length > 0 ? `a list without ${off.map((name) => `-${name}`).join(", ")}` : undefined;
        },
    ),
    "node-cidr-mask-size": checked(
        "the blocks must be large enough for a node's pods and numerous enough for all nodes",
        nodeMask,
    ),
    "node-cidr-mask-size-ipv4": checked("as `node-cidr-mask-size`", nodeMask4),
    "node-cidr-mask-size-ipv6": checked("as `node-cidr-mask-size`", nodeMask6),
    ...free("200", ["kube-api-burst", "kube-api-qps"]),
};

const kubeScheduler: FlagRules = {
    ...client,
    "authorization-always-allow-paths": checked("probes are unauthenticated", keeps("/healthz", "/readyz", "/livez")),
    config: fileOf("kubeScheduler", (value, { controlPlaneFiles }) => {
        const content = controlPlaneFiles.kubeScheduler.files[value.slice(`${filesPath}/`.length)];
        const needed = `${credentialsPath}/kubeconfig`;
        return content?.includes(needed) ? undefined : `a file with ${needed} as clientConnection.kubeconfig`;
    }),
    ...owned("the program would write it and exit", ["write-config-to"]),
};

/** Rules for the flags of each program: the source of checks, merging and docs/flags.md. */
export const flagRules: Readonly<Record<Program, FlagRules>> = {
    "kube-apiserver": kubeApiserver,
    "kube-controller-manager": kubeControllerManager,
    "kube-scheduler": kubeScheduler,
    kubelet,
    etcd,
    "kube-proxy": kubeProxy,
    coredns,
    flannel,
    "kube-router": kubeRouter,
};

/** The rule of a flag; undefined if it is free. */
export function flagRule(program: Program, flag: string): FlagRule | undefined {
    const rules = flagRules[program];
    const [, rule] = Object.entries(rules).find(([pattern]) => matches(pattern, flag)) ?? [];
    return rule;
}

/** Whether the pattern of a rule matches a flag. */
export function matches(pattern: string, flag: string): boolean {
    return new RegExp(`^${pattern.split("*").join(".*")}$`).test(flag);
}
