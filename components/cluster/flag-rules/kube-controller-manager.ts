import { nodeMask, nodeMask4, nodeMask6 } from "./pod-blocks";
import { checked, entriesOf, type FlagRules, free, keeps, merged, owned } from "./rule";
import { client } from "./shared";

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

export const kubeControllerManager: FlagRules = {
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
