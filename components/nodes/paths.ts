/** Where things lie on a machine. */
export const paths = {
    bin: "/opt/tradewind/bin",
    kubelets: "/opt/tradewind/kubelet",
    bootstrap: "/opt/tradewind/bootstrap",
    bootstrapState: "/var/lib/tradewind/bootstrap",
    kubeletRestart: "/var/lib/tradewind/bootstrap/restart-kubelet",
    staticPods: "/etc/kubernetes/manifests",
    ca: "/etc/kubernetes/pki/ca.crt",
    etcdPki: "/etc/kubernetes/pki/etcd",
    kubeletConfig: "/etc/kubernetes/kubelet.json",
    /** Settings of this one host that win over the generated ones. */
    kubeletConfigDropIns: "/etc/kubernetes/kubelet.conf.d",
    kubeletVersion: "/etc/kubernetes/kubelet.env",
    bootstrapKubeconfig: "/etc/kubernetes/bootstrap-kubeconfig",
    kubeconfig: "/var/lib/kubelet/kubeconfig",
    kubeletPki: "/var/lib/kubelet/pki",
    etcdData: "/var/lib/etcd",
    /** The member's own directory: it makes it itself, with its own permissions. */
    etcdMemberData: "/var/lib/etcd/member-data",
} as const;
