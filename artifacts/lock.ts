import type { Part } from "./part";

/** Kubernetes releases that can be had, newest first. Only those asked for are fetched or built. */
export const KUBERNETES_VERSIONS = ["1.36.3", "1.35.4"] as const;

export type KubernetesVersion = (typeof KUBERNETES_VERSIONS)[number];

/** The one version of everything, so that no other file names one. */
export const versions = {
    kubernetes: KUBERNETES_VERSIONS[0] as KubernetesVersion,
    etcd: "3.6.8",
    containerd: "2.4.2",
    coredns: "1.14.7",
    flannel: "0.26.7",
    cniPlugins: "1.9.1",
    flannelCniPlugin: "0.9.1",
    ignition: "2.24.0",
    pulumi: "3.245.0",
    pause: "3.10.2",
    node: "22.23.3",
    /** Debian 12's, as are runc and busybox: newer point releases of the distribution keep these. */
    haproxy: "2.6.12",
    busybox: "1.35.0",
    runc: "1.1.5",
    debian: "bookworm",
} as const;

const KUBERNETES_BINARIES = [
    "kubelet",
    "kubectl",
    "kubeadm",
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
    "kube-proxy",
] as const;

const CNI_PLUGINS = {
    main: ["bridge", "dummy", "host-device", "ipvlan", "loopback", "macvlan", "ptp", "vlan"],
    ipam: ["dhcp", "host-local", "static"],
    meta: ["bandwidth", "firewall", "portmap", "sbr", "tuning", "vrf"],
} as const;

/** What a Kubernetes release is made of: one binary each, from one module. */
export function kubernetes(version: KubernetesVersion): Part {
    const [major, minor] = version.split(".");
    const stamps = ["k8s.io/component-base/version", "k8s.io/client-go/pkg/version"].flatMap((pkg) =>
        [
            ["gitVersion", `v${version}`],
            ["gitMajor", major],
            ["gitMinor", minor],
            ["gitTreeState", "clean"],
        ].map(([name, value]) => `-X ${pkg}.${name}=${value}`),
    );
    return {
        name: "kubernetes",
        version,
        licence: "Apache-2.0",
        homepage: "https://github.com/kubernetes/kubernetes",
        go: {
            folder: `kubernetes-${major}.${minor}`,
            module: `k8s.io/kubernetes@v${version}`,
            binaries: Object.fromEntries(KUBERNETES_BINARIES.map((name) => [name, `k8s.io/kubernetes/cmd/${name}`])),
            ldflags: stamps,
        },
        served: Object.fromEntries(
            ["kubelet", "kubectl", "kubeadm"].map((name) => [name, `kubernetes/v${version}/${name}`]),
        ),
        official: {
            kind: "binaries",
            url: `https://dl.k8s.io/v${version}/bin/linux/{arch}/{binary}`,
            checksum: `https://dl.k8s.io/v${version}/bin/linux/{arch}/{binary}.sha256`,
        },
    };
}

const etcd: Part = {
    name: "etcd",
    version: versions.etcd,
    licence: "Apache-2.0",
    homepage: "https://github.com/etcd-io/etcd",
    go: {
        folder: "etcd",
        module: `go.etcd.io/etcd/server/v3@v${versions.etcd}`,
        binaries: {
            etcd: "go.etcd.io/etcd/server/v3",
            etcdctl: "go.etcd.io/etcd/etcdctl/v3",
            etcdutl: "go.etcd.io/etcd/etcdutl/v3",
        },
    },
    official: {
        kind: "archive",
        url: `https://github.com/etcd-io/etcd/releases/download/v${versions.etcd}/etcd-v${versions.etcd}-linux-{arch}.tar.gz`,
        checksum: `https://github.com/etcd-io/etcd/releases/download/v${versions.etcd}/SHA256SUMS`,
        folder: `etcd-v${versions.etcd}-linux-{arch}`,
    },
};

const containerd: Part = {
    name: "containerd",
    version: versions.containerd,
    licence: "Apache-2.0",
    homepage: "https://github.com/containerd/containerd",
    go: {
        folder: "containerd",
        module: `github.com/containerd/containerd/v2@v${versions.containerd}`,
        binaries: {
            containerd: "github.com/containerd/containerd/v2/cmd/containerd",
            "containerd-shim-runc-v2": "github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2",
            ctr: "github.com/containerd/containerd/v2/cmd/ctr",
        },
        ldflags: [`-X github.com/containerd/containerd/v2/version.Version=${versions.containerd}`],
    },
    official: {
        kind: "archive",
        url: `https://github.com/containerd/containerd/releases/download/v${versions.containerd}/containerd-static-${versions.containerd}-linux-{arch}.tar.gz`,
        checksum: `https://github.com/containerd/containerd/releases/download/v${versions.containerd}/containerd-static-${versions.containerd}-linux-{arch}.tar.gz.sha256sum`,
        folder: "bin",
    },
};

const coredns: Part = {
    name: "coredns",
    version: versions.coredns,
    licence: "Apache-2.0",
    homepage: "https://github.com/coredns/coredns",
    go: {
        folder: "coredns",
        module: `github.com/coredns/coredns@v${versions.coredns}`,
        binaries: { coredns: "github.com/coredns/coredns" },
    },
    official: {
        kind: "archive",
        url: `https://github.com/coredns/coredns/releases/download/v${versions.coredns}/coredns_${versions.coredns}_linux_{arch}.tgz`,
        checksum: `https://github.com/coredns/coredns/releases/download/v${versions.coredns}/coredns_${versions.coredns}_linux_{arch}.tgz.sha256`,
        sha256: { amd64: "9a09356438c6d9591cb80011a2a7a52f87fc3a113f6690e41f243f98b98faac9" },
    },
};

/** Built in every case: its releases publish no checksums. */
const flannel: Part = {
    name: "flannel",
    version: versions.flannel,
    licence: "Apache-2.0",
    homepage: "https://github.com/flannel-io/flannel",
    go: {
        folder: "flannel",
        module: `github.com/flannel-io/flannel@v${versions.flannel}`,
        binaries: { flanneld: "github.com/flannel-io/flannel" },
        ldflags: [`-X github.com/flannel-io/flannel/pkg/version.Version=v${versions.flannel}`],
        cgo: "static",
    },
};

const cniPlugins: Part = {
    name: "cni-plugins",
    version: versions.cniPlugins,
    licence: "Apache-2.0",
    homepage: "https://github.com/containernetworking/plugins",
    go: {
        folder: "cni-plugins",
        module: `github.com/containernetworking/plugins@v${versions.cniPlugins}`,
        binaries: Object.fromEntries(
            Object.entries(CNI_PLUGINS).flatMap(([kind, names]) =>
                names.map((name) => [name, `github.com/containernetworking/plugins/plugins/${kind}/${name}`]),
            ),
        ),
        ldflags: [
            `-X github.com/containernetworking/plugins/pkg/utils/buildversion.BuildVersion=v${versions.cniPlugins}`,
        ],
    },
    servedArchive: `cni-plugins/v${versions.cniPlugins}/cni-plugins-linux-{arch}-v${versions.cniPlugins}.tgz`,
    official: {
        kind: "archive",
        url: `https://github.com/containernetworking/plugins/releases/download/v${versions.cniPlugins}/cni-plugins-linux-{arch}-v${versions.cniPlugins}.tgz`,
        checksum: `https://github.com/containernetworking/plugins/releases/download/v${versions.cniPlugins}/cni-plugins-linux-{arch}-v${versions.cniPlugins}.tgz.sha256`,
        sha256: {
            amd64: "b98f74a0f8522f0a83867178729c1aa70f2158f90c45a2ca8fa791db1c76b303",
            arm64: "56171987d3947707c3563db2f4001bccaf50fd63468611b9f3cbecb1375ee7ec",
        },
    },
};

/** The last release of the plugins that has flannel's: its own repository's module is not to be had. */
const flannelCniPlugin: Part = {
    name: "flannel-cni-plugin",
    version: versions.flannelCniPlugin,
    licence: "Apache-2.0",
    homepage: "https://github.com/containernetworking/plugins",
    go: {
        folder: "flannel-cni-plugin",
        module: `github.com/containernetworking/plugins@v${versions.flannelCniPlugin}`,
        binaries: { flannel: "github.com/containernetworking/plugins/plugins/meta/flannel" },
        ldflags: [
            `-X github.com/containernetworking/plugins/pkg/utils/buildversion.BuildVersion=v${versions.flannelCniPlugin}`,
        ],
    },
    official: {
        kind: "archive",
        url: `https://github.com/containernetworking/plugins/releases/download/v${versions.flannelCniPlugin}/cni-plugins-linux-{arch}-v${versions.flannelCniPlugin}.tgz`,
        checksum: `https://github.com/containernetworking/plugins/releases/download/v${versions.flannelCniPlugin}/cni-plugins-linux-{arch}-v${versions.flannelCniPlugin}.tgz.sha256`,
        sha256: { amd64: "962100bbc4baeaaa5748cdbfce941f756b1531c2eadb290129401498bfac21e7" },
    },
};

/** Built in every case: the project releases only its validator. SELinux and key fragments are Fedora's ways. */
const ignition: Part = {
    name: "ignition",
    version: versions.ignition,
    licence: "Apache-2.0",
    homepage: "https://github.com/coreos/ignition",
    go: {
        folder: "ignition",
        module: `github.com/coreos/ignition/v2@v${versions.ignition}`,
        binaries: { ignition: "github.com/coreos/ignition/v2/internal" },
        ldflags: [
            `-X github.com/coreos/ignition/v2/internal/version.Raw=${versions.ignition}`,
            "-X github.com/coreos/ignition/v2/internal/distro.selinuxRelabel=false",
            "-X github.com/coreos/ignition/v2/internal/distro.writeAuthorizedKeysFragment=false",
        ],
        cgo: "dynamic",
        tools: [{ command: "/usr/include/blkid/blkid.h", package: "libblkid-dev" }],
    },
};

const pulumi: Part = {
    name: "pulumi",
    version: versions.pulumi,
    licence: "Apache-2.0",
    homepage: "https://github.com/pulumi/pulumi",
    go: {
        folder: "pulumi",
        module: `github.com/pulumi/pulumi/pkg/v3@v${versions.pulumi}`,
        binaries: { pulumi: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi" },
        ldflags: [`-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=${versions.pulumi}`],
    },
    official: {
        kind: "archive",
        url: `https://github.com/pulumi/pulumi/releases/download/v${versions.pulumi}/pulumi-v${versions.pulumi}-linux-{x64}.tar.gz`,
        checksum: `https://github.com/pulumi/pulumi/releases/download/v${versions.pulumi}/pulumi-${versions.pulumi}-checksums.txt`,
        folder: "pulumi",
        extra: ["pulumi-language-nodejs"],
    },
};

/** Everything fetched or built as a program, small ones first, Kubernetes by itself in {@link kubernetes}. */
export const parts = {
    cniPlugins,
    flannelCniPlugin,
    flannel,
    etcd,
    containerd,
    coredns,
    ignition,
    pulumi,
} as const satisfies Record<string, Part>;

/** Node's official binary as the npm registry has it, with the registry's own checksums. */
export const node = {
    name: "node",
    version: versions.node,
    licence: "MIT",
    homepage: "https://github.com/nodejs/node",
    package: "node-linux-{x64}",
    integrity: {
        x64: "sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==",
        arm64: "sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==",
    },
} as const;

/** The process that holds a pod's namespaces: one C file in Kubernetes' own source. */
export const pause = {
    name: "pause",
    version: versions.pause,
    licence: "Apache-2.0",
    homepage: "https://github.com/kubernetes/kubernetes",
    module: kubernetes(versions.kubernetes).go,
    file: "build/pause/linux/pause.c",
} as const;
