import { versions } from "../../versions";
import { cniPluginsChecksums } from "../../versions/published-checksums";
import { cniPluginsUrl } from "../../versions/urls";
import { goPart } from "./go-part";

const CNI_PLUGINS = {
    main: ["bridge", "dummy", "host-device", "ipvlan", "loopback", "macvlan", "ptp", "vlan"],
    ipam: ["dhcp", "host-local", "static"],
    meta: ["bandwidth", "firewall", "portmap", "sbr", "tuning", "vrf"],
} as const;

export const cniPlugins = goPart("cni-plugins", versions.cniPlugins, {
    module: "github.com/containernetworking/plugins",
    binaries: Object.fromEntries(
        Object.entries(CNI_PLUGINS).flatMap(([kind, names]) =>
            names.map((name) => [name, `github.com/containernetworking/plugins/plugins/${kind}/${name}`]),
        ),
    ),
    ldflags: [`-X github.com/containernetworking/plugins/pkg/utils/buildversion.BuildVersion=v${versions.cniPlugins}`],
    servedArchive: `cni-plugins/v${versions.cniPlugins}/cni-plugins-linux-{arch}-v${versions.cniPlugins}.tgz`,
    official: {
        kind: "archive",
        url: cniPluginsUrl,
        checksum: `${cniPluginsUrl}.sha256`,
        sha256: { amd64: cniPluginsChecksums.amd64.sha256, arm64: cniPluginsChecksums.arm64.sha256 },
    },
});

/** The last release that includes flannel's plugin: the module of its own repository is not available. */
export const flannelCniPlugin = goPart("flannel-cni-plugin", versions.flannelCniPlugin, {
    module: "github.com/containernetworking/plugins",
    binaries: { flannel: "github.com/containernetworking/plugins/plugins/meta/flannel" },
    ldflags: [
        `-X github.com/containernetworking/plugins/pkg/utils/buildversion.BuildVersion=v${versions.flannelCniPlugin}`,
    ],
    official: {
        kind: "archive",
        url: `https://github.com/containernetworking/plugins/releases/download/v${versions.flannelCniPlugin}/cni-plugins-linux-{arch}-v${versions.flannelCniPlugin}.tgz`,
        checksum: `https://github.com/containernetworking/plugins/releases/download/v${versions.flannelCniPlugin}/cni-plugins-linux-{arch}-v${versions.flannelCniPlugin}.tgz.sha256`,
        sha256: { amd64: "962100bbc4baeaaa5748cdbfce941f756b1531c2eadb290129401498bfac21e7" },
    },
});

/** Always built: its releases publish no checksums. */
export const flannel = goPart("flannel", versions.flannel, {
    module: "github.com/flannel-io/flannel",
    binaries: { flanneld: "github.com/flannel-io/flannel" },
    ldflags: [`-X github.com/flannel-io/flannel/pkg/version.Version=v${versions.flannel}`],
    cgo: "static",
});

/** Always built: only its firewall runs. */
export const kubeRouter = goPart("kube-router", versions.kubeRouter, {
    module: "github.com/cloudnativelabs/kube-router/v2",
    binaries: { "kube-router": "github.com/cloudnativelabs/kube-router/v2/cmd/kube-router" },
    ldflags: [`-X github.com/cloudnativelabs/kube-router/v2/pkg/version.Version=v${versions.kubeRouter}`],
});

export const coredns = goPart("coredns", versions.coredns, {
    module: "github.com/coredns/coredns",
    official: {
        kind: "archive",
        url: `https://github.com/coredns/coredns/releases/download/v${versions.coredns}/coredns_${versions.coredns}_linux_{arch}.tgz`,
        checksum: `https://github.com/coredns/coredns/releases/download/v${versions.coredns}/coredns_${versions.coredns}_linux_{arch}.tgz.sha256`,
        sha256: { amd64: "9a09356438c6d9591cb80011a2a7a52f87fc3a113f6690e41f243f98b98faac9" },
    },
});
