import { issuerOf } from "../issuer";
import { checked, distinctNames, entriesOf, type FlagRules, free, keeps, merged, owned } from "./rule";
import { serving } from "./shared";

/** Admission plugins that the cluster depends on. Source: kube-apiserver's default ones, and what docs/security.md promises. */
export const neededPlugins = [
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

export const kubeApiserver: FlagRules = {
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
