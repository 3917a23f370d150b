import { maxPods } from "./pod-blocks";
import { checked, type FlagRules, free, owned } from "./rule";
import { ending, featureGates, tlsMinVersion } from "./shared";

export const kubelet: FlagRules = {
    ...ending,
    ...owned("nothing reads a kubelet without credentials", ["anonymous-auth", "read-only-port"]),
    ...owned("kube-apiserver decides who may ask a kubelet", ["authentication-token-webhook", "authorization-mode"]),
    ...owned("clients are known by the cluster's CA", ["client-ca-file"], "`keys.kubernetesCa`"),
    ...owned("it joins by a bootstrap token and renews its own certificate", [
        "bootstrap-kubeconfig",
        "cert-dir",
        "kubeconfig",
        "register-node",
        "rotate-certificates",
    ]),
    ...owned(
        "kubelets' certificates are the stack's choice",
        ["rotate-server-certificates", "tls-cert-file", "tls-private-key-file"],
        "`certificates.kubeletServing`",
    ),
    ...owned("the control plane and the node-agent expect them", [
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
    ...owned("a node is known by its name and address", ["hostname-override", "node-ip", "provider-id"]),
    ...owned("labels belong to a pool", ["node-labels"], "`pools[].labels` or `controllers.labels`"),
    ...owned("taints belong to a pool", ["register-with-taints"], "`pools[].taints`"),
    ...owned("it is the tenth address of Services", ["cluster-dns"], "`serviceCidr`, or a pod's `dnsConfig`"),
    ...owned("it is chosen once", ["cluster-domain"], "`clusterDomain`"),
    ...owned("kube-controller-manager gives each node its block", ["pod-cidr"], "`podCidr`"),
    ...owned("clouds have controllers of their own", ["cloud-provider"], "`hasCloudController`"),
    ...owned("it is that of the container runtime", [
        "cgroup-driver",
        "container-runtime-endpoint",
        "image-service-endpoint",
    ]),
    ...owned("images are pulled in parallel", ["serialize-image-pulls"]),
    "max-pods": checked("each pod of a node needs an address of the node's block", maxPods),
    "tls-min-version": tlsMinVersion,
    "feature-gates": featureGates,
    ...free("set where `selfHosted.kubelet` is true, and refused there", ["exit-on-lock-contention", "lock-file"]),
    ...free("every 5 seconds", ["file-check-frequency"]),
    ...free("off", ["protect-kernel-defaults"]),
};
