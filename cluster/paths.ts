import { staticPodFile } from "../agents/etcd/member/files";
import {
    bootstrapKubeconfigFile,
    kubeconfigFile,
    kubeletClientFile,
    trustedCasFile,
} from "../agents/nodes/node-agent/kubelet/identity";
import { cniPluginsEnvFile } from "../agents/nodes/node-agent/layout";

const staticPods = "/etc/kubernetes/manifests";
const cni = "/opt/cni";
const kubeletPki = "/var/lib/kubelet/pki";

/** Paths on a machine. */
export const paths = {
    bin: "/opt/tradewind/bin",
    kubelets: "/opt/tradewind/kubelet",
    /** Selects the kubelet that runs. Next to the kubelets, because the node-agent can only access that directory. */
    kubeletVersion: "/opt/tradewind/kubelet/kubelet.env",
    /** The same for the kubelet that was started last. */
    kubeletRunning: "/opt/tradewind/kubelet/running.env",
    cni,
    /** Selects the machine's CNI plugins. Next to them, for the same reason. */
    cniPlugins: `${cni}/${cniPluginsEnvFile}`,
    /** Container runtimes, each in its own directory, where the OS image has none. */
    containerRuntimes: "/opt/tradewind/container-runtime",
    /** Lock of a node's two kubelets: the one that holds it is active. Cleared by a boot. */
    kubeletLock: "/run/kubelet.lock",
    bootstrap: "/opt/tradewind/bootstrap",
    bootstrapState: "/var/lib/tradewind/bootstrap",
    kubeletRestart: "/var/lib/tradewind/bootstrap/restart-kubelet",
    kubernetes: "/etc/kubernetes",
    staticPods,
    etcdStaticPod: `${staticPods}/${staticPodFile}`,
    /** Copies of pods that run without an API, with the keys that they need. */
    checkpoints: "/etc/kubernetes/checkpoints",
    checkpointerState: "/var/lib/tradewind/checkpointer",
    nodeAgentState: "/var/lib/tradewind/node-agent",
    /** The name of a node that its cloud named, once it has joined. */
    nodeName: "/var/lib/tradewind/node-name",
    /** Volumes of the default storage class of local clusters. */
    localVolumes: "/var/lib/tradewind/volumes",
    etcdUpdateState: "/var/lib/tradewind/etcd-update",
    logCollectorState: "/var/lib/tradewind/log-collector",
    upgradeGuardState: "/var/lib/tradewind/upgrade-guard",
    pki: "/etc/kubernetes/pki",
    ca: "/etc/kubernetes/pki/ca.crt",
    etcdPki: "/etc/kubernetes/pki/etcd",
    /** Settings of a single host, which override the generated ones. */
    kubeletConfigDropIns: "/etc/kubernetes/kubelet.conf.d",
    bootstrapKubeconfig: "/etc/kubernetes/bootstrap-kubeconfig",
    kubeconfig: "/var/lib/kubelet/kubeconfig",
    kubeletPki,
    /** The kubelet's client certificate and key for the API; it renews them. */
    kubeletClient: `${kubeletPki}/${kubeletClientFile}`,
    /**
     * Replaces `ca` and `kubeconfig` once a cluster has other CAs than the initial one, so that agents can change them.
     */
    kubeletAuthorities: `${kubeletPki}/${trustedCasFile}`,
    changedKubeconfig: `${kubeletPki}/${kubeconfigFile}`,
    changedBootstrapKubeconfig: `${kubeletPki}/${bootstrapKubeconfigFile}`,
    kubeletPods: "/var/lib/kubelet/pods",
    /** The kubelet's `podLogsDir`: a directory per pod with a directory per container. */
    podLogs: "/var/log/pods",
    runtime: "/run/containerd",
    runtimeSocket: "/run/containerd/containerd.sock",
    etcdData: "/var/lib/etcd",
    /** The member's own directory, which it creates itself with its own permissions. */
    etcdMemberData: "/var/lib/etcd/member-data",
} as const;

/**
 * Starts the programs of units that are in /opt. Fedora CoreOS before selinux-policy#2917 (2025-10-23) labels them
 * `var_t`, which systemd may not execute. It may execute `env`, whose domain may execute anything. A shell would run in
 * another domain with fewer permissions (selinux-policy#778), and /usr/local is read-only on Flatcar.
 */
export const launcher = "/usr/bin/env";
