import { maxPods } from "./pod-blocks";
import { checked, ending, entriesOf, type FlagRules, featureGates, free, owned, tls } from "./rule";

export const kubelet: FlagRules = {
    ...ending,
    ...owned("kubelets require authentication", ["anonymous-auth", "read-only-port"]),
    ...owned("kube-apiserver authorizes requests to kubelets", ["authentication-token-webhook", "authorization-mode"]),
    ...owned("clients are authenticated by the cluster's CA", ["client-ca-file"], "`keys.kubernetesCa`"),
    ...owned("it joins with a bootstrap token and renews its own certificate", [
        "bootstrap-kubeconfig",
        "cert-dir",
        "kubeconfig",
        "register-node",
        "rotate-certificates",
    ]),
    ...owned(
        "the stack manages the kubelets' certificates",
        ["rotate-server-certificates", "tls-cert-file", "tls-private-key-file"],
        "`certificates.kubeletServing`",
    ),
    ...owned("the control plane and the node-agent depend on them", [
        "address",
        "config",
        "config-dir",
        "enable-server",
        "healthz-bind-address",
        "healthz-port",
        "pod-manifest-path",
        "port",
        "root-dir",
        "runonce",
    ]),
    ...owned("a node is identified by its name and address", ["hostname-override", "node-ip", "provider-id"]),
    ...owned("labels are set per pool", ["node-labels"], "`workerPools[].labels` or `controllers.labels`"),
    ...owned("taints are set per pool", ["register-with-taints"], "`workerPools[].taints`"),
    ...owned("it is the tenth address of Services", ["cluster-dns"], "`serviceCidr`, or a pod's `dnsConfig`"),
    ...owned("it cannot be changed after creation", ["cluster-domain"], "`clusterDomain`"),
    ...owned("kube-controller-manager assigns each node its block", ["pod-cidr"], "`podCidr`"),
    ...owned("each cloud has its own controller", ["cloud-provider"], "`cloudController`"),
    ...owned("it depends on the container runtime", [
        "cgroup-driver",
        "container-runtime-endpoint",
        "image-service-endpoint",
    ]),
    ...owned("images are pulled in parallel", ["serialize-image-pulls"]),
    "max-pods": checked("each pod of a node needs an address of the node's block", maxPods),
    ...tls,
    ...Object.fromEntries(
        ["eviction-hard", "eviction-soft"].map((flag) => [flag, checked("the kubelet would not start", thresholds)]),
    ),
    "event-qps": checked("0 means 5 a second before Kubernetes 1.37, and no limit from then on", (value) =>
        Number(value) === 0 ? "1 or more" : undefined,
    ),
    "feature-gates": featureGates,
    ...free("set where `selfHosted.kubelet` is true, and refused there", ["exit-on-lock-contention", "lock-file"]),
    ...free("every 5 seconds", ["file-check-frequency"]),
    ...free("off", ["protect-kernel-defaults"]),
    ...free("on", ["seccomp-default"]),
    ...free("4096 processes", ["pod-max-pids"]),
};

const signals = "memory|allocatableMemory|pid|nodefs|imagefs|containerfs";
const threshold = new RegExp(
    `^((${signals})\\.available|(nodefs|imagefs|containerfs)\\.inodesFree)<(\\d+(\\.\\d+)?(%|[kKMGTPE]i?)?)$`,
);

/** `memory.available<500Mi,nodefs.available<10%`. Source: pkg/kubelet/eviction/helpers.go of Kubernetes. */
function thresholds(value: string): string | undefined {
    const wrong = entriesOf(value).find((entry) => !threshold.test(entry));
    return wrong && `a list of thresholds such as memory.available<100Mi (wrong: ${wrong})`;
}
