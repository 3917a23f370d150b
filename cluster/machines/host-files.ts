import { paths } from "../paths";

/** Files that programs of a machine need to start, and that a power cut can leave empty, short or with other bytes. */
export interface HostFile {
    /** What needs them. */
    readonly program: string;
    /** Shell patterns. */
    readonly files: readonly string[];
    /**
     * How they become whole again:
     * `copy`: restored from the machine's own copy (`kept-files.ts`).
     * `kubelet`: removed, and the kubelet writes another one.
     * `containerd`: containerd starts empty, and images are pulled again.
     * `check`: compared with a SHA-256 at each boot, and downloaded or unpacked again.
     * `boot`: removed if damaged, at a boot, or written again by it.
     * `pod`: written again by a pod.
     */
    readonly repair: "copy" | "kubelet" | "containerd" | "check" | "boot" | "pod";
}

const kubelet = "/var/lib/kubelet";

/** Every such file, except those of the OS and what a snippet adds. docs/faults.md has the same table. */
export const hostFiles: readonly HostFile[] = [
    {
        program: "the machine",
        files: [
            "/etc/hostname",
            paths.nodeName,
            "/etc/sysctl.d/90-tradewind.conf",
            "/etc/modules-load.d/tradewind.conf",
            "/etc/systemd/networkd.conf.d/90-tradewind.conf",
            "/etc/systemd/network/05-tradewind.network",
            "/etc/systemd/logind.conf.d/99-kubelet.conf",
        ],
        repair: "copy",
    },
    {
        program: "systemd",
        files: ["/etc/systemd/system/*.service", "/etc/systemd/system/*.path", "/etc/systemd/system/*.d/*.conf"],
        repair: "copy",
    },
    { program: "scripts", files: [`${paths.bin}/*`], repair: "copy" },
    {
        program: "kubelet",
        files: [
            paths.kubeletClient,
            `${paths.kubeletPki}/kubelet-server-current.pem`,
            paths.kubeconfig,
            paths.kubeletAuthorities,
            paths.changedKubeconfig,
            paths.changedBootstrapKubeconfig,
            paths.bootstrapKubeconfig,
            paths.ca,
            paths.kubeletVersion,
            `${paths.kubelets}/settings/*`,
            `${paths.kubeletConfigDropIns}/*`,
            `${paths.kubernetes}/credential-providers.json`,
        ],
        repair: "copy",
    },
    {
        program: "kubelet",
        files: ["cpu_manager_state", "memory_manager_state", "dra_manager_state", "allocated_pods_state"]
            .concat("actuated_pods_state", "device-plugins/kubelet_internal_checkpoint")
            .map((name) => `${kubelet}/${name}`),
        repair: "kubelet",
    },
    { program: "kubelet", files: [`${paths.kubelets}/*/kubelet`], repair: "check" },
    { program: "static pods", files: [`${paths.staticPods}/*`], repair: "copy" },
    { program: "etcd", files: [`${paths.etcdPki}/*`], repair: "copy" },
    {
        program: "containerd",
        files: ["/etc/containerd/config.toml", "/etc/containerd/conf.d/*", "/etc/containerd/certs.d/*/*"],
        repair: "copy",
    },
    {
        program: "containerd",
        files: [
            "/var/lib/containerd/io.containerd.metadata.v1.bolt/meta.db",
            "/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/metadata.db",
        ],
        repair: "containerd",
    },
    { program: "CNI plugins", files: [paths.cniPlugins, "/etc/cni/net.d/*"], repair: "copy" },
    { program: "CNI plugins", files: [`${paths.cni}/bin/*`], repair: "check" },
    {
        program: "CNI plugins",
        files: ["/var/lib/cni/networks/*/*", "/var/lib/cni/results/*", "/var/lib/cni/flannel/*"],
        repair: "boot",
    },
];
