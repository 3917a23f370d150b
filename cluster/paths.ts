import { staticPodFile } from "../agents/etcd/member/files";
import {
    authoritiesFile,
    bootstrapKubeconfigFile,
    kubeconfigFile,
    kubeletClientFile,
} from "../agents/nodes/node-agent/kubelet/identity";
import { cniPluginsEnvFile } from "../agents/nodes/node-agent/layout";

const staticPods = "/etc/kubernetes/manifests";
const cni = "/opt/cni";
const kubeletPki = "/var/lib/kubelet/pki";

/** Where things lie on a machine. */
export const paths = {
    bin: "/opt/tradewind/bin",
    kubelets: "/opt/tradewind/kubelet",
    /** Which of them runs: beside them, for the node-agent sees no more of the host. */
    kubeletVersion: "/opt/tradewind/kubelet/kubelet.env",
    /** The same of the kubelet that was started last. */
    kubeletRunning: "/opt/tradewind/kubelet/running.env",
    cni,
    /** Which CNI plugins the machine has: beside them, as the node-agent sees them. */
    cniPlugins: `${cni}/${cniPluginsEnvFile}`,
    /** Container runtimes, each in a directory of its own, where the OS image has none. */
    containerRuntimes: "/opt/tradewind/container-runtime",
    /** Of two kubelets of a node, the one that holds it is at work. Gone with a boot. */
    kubeletLock: "/run/kubelet.lock",
    bootstrap: "/opt/tradewind/bootstrap",
    bootstrapState: "/var/lib/tradewind/bootstrap",
    kubeletRestart: "/var/lib/tradewind/bootstrap/restart-kubelet",
    kubernetes: "/etc/kubernetes",
    staticPods,
    etcdStaticPod: `${staticPods}/${staticPodFile}`,
    /** Copies of pods that run without an API, with the keys that those need. */
    checkpoints: "/etc/kubernetes/checkpoints",
    checkpointerState: "/var/lib/tradewind/checkpointer",
    nodeAgentState: "/var/lib/tradewind/node-agent",
    etcdUpdateState: "/var/lib/tradewind/etcd-update",
    pki: "/etc/kubernetes/pki",
    ca: "/etc/kubernetes/pki/ca.crt",
    etcdPki: "/etc/kubernetes/pki/etcd",
    /** Settings of this one host that win over the generated ones. */
    kubeletConfigDropIns: "/etc/kubernetes/kubelet.conf.d",
    bootstrapKubeconfig: "/etc/kubernetes/bootstrap-kubeconfig",
    kubeconfig: "/var/lib/kubelet/kubeconfig",
    kubeletPki,
    /** The certificate and key by which the kubelet is known to the API; it renews them. */
    kubeletClient: `${kubeletPki}/${kubeletClientFile}`,
    /** In the place of `ca` and `kubeconfig` where authorities are others than a cluster begins with: there agents change them. */
    kubeletAuthorities: `${kubeletPki}/${authoritiesFile}`,
    changedKubeconfig: `${kubeletPki}/${kubeconfigFile}`,
    changedBootstrapKubeconfig: `${kubeletPki}/${bootstrapKubeconfigFile}`,
    kubeletPods: "/var/lib/kubelet/pods",
    /** The kubelet's `podLogsDir`: a directory for each pod, in it one for each container. */
    podLogs: "/var/log/pods",
    runtime: "/run/containerd",
    runtimeSocket: "/run/containerd/containerd.sock",
    etcdData: "/var/lib/etcd",
    /** The member's own directory: it makes it itself, with its own permissions. */
    etcdMemberData: "/var/lib/etcd/member-data",
} as const;
