import { renderCniPluginsEnv } from "../../agents/nodes/node-agent/cni-plugins/plugins";
import { cniPluginsArchive } from "../../agents/nodes/node-agent/layout";
import { type Config, config, file, merge, unit } from "../../ignition";
import type { Download } from "../downloads";
import type { BootingMachine } from "../keys/credentials";
import type { Cluster, Network } from "../model";
import { ports } from "../network/ports";
import { launcher, paths } from "../paths";

export const fetchScript = `${paths.bin}/fetch`;

/** Shell: `$shown` is `$url` without its user, password and query, which may hold a signature. */
const shown = `shown=$(printf '%s' "$url" | sed 's#://[^/?]*@#://#; s#[?].*#?...#')`;

const script = `#!/bin/sh
# fetch FILE SHA256 URL...: downloads FILE from the first URL that has it, and refuses other contents.
set -eu
file=$1 sha256=$2
shift 2
if [ -f "$file" ] && echo "$sha256  $file" | sha256sum --check --status; then exit 0; fi
mkdir -p "\${file%/*}"
for url in "$@"; do
    ${shown}
    echo "fetch: $shown"
    if ! curl -fsSL --retry 3 --retry-connrefused --connect-timeout 10 --max-time 600 -o "$file.part" "$url"; then continue; fi
    if ! echo "$sha256  $file.part" | sha256sum --check --status; then
        echo "fetch: $shown does not have the SHA-256 $sha256" >&2
        continue
    fi
    sync "$file.part"
    mv "$file.part" "$file"
    exit 0
done
echo "fetch: could not download $file from any URL" >&2
exit 1
`;

/** Script that downloads pinned files and refuses anything else. It prints URLs without credentials. */
export function fetchTool(): Config {
    return config({ files: [file(fetchScript, script, { mode: 0o755 })] });
}

/**
 * Host name, kernel settings, routes and CNI plugins: everything a node needs before its kubelet starts.
 *
 * @param isController - with ports that are not for the pod network
 */
export function system(
    { network }: Cluster,
    machine: BootingMachine,
    cniPlugins: Download,
    isController = false,
): Config {
    const guard = isController && network.controllerGuard ? controllerGuard(network) : "";
    const own = config({
        files: [
            ...(machine.name ? [file("/etc/hostname", `${machine.name}\n`, { mode: 0o644 })] : []),
            zincati,
            file("/etc/sysctl.d/90-tradewind.conf", sysctls(network), { mode: 0o644 }),
            file("/etc/modules-load.d/tradewind.conf", "br_netfilter\nnf_conntrack\noverlay\nvxlan\n", { mode: 0o644 }),
            file(`${paths.bin}/node-routes`, routes(network) + guard, { mode: 0o755 }),
            file(paths.cniPlugins, renderCniPluginsEnv(cniPlugins), { mode: 0o644 }),
            file(`${paths.bin}/install-cni-plugins`, installCniPlugins, { mode: 0o755 }),
        ],
        units: [
            unit("node-routes.service", {
                enabled: true,
                contents: oneshot("Keep cluster traffic inside", "node-routes", "network.target"),
            }),
            unit("cni-plugins.service", {
                enabled: true,
                contents: oneshot("Install CNI plugins", "install-cni-plugins", "network-online.target"),
            }),
            // Flatcar's reboots after updates are not coordinated with the cluster.
            unit("locksmithd.service", { mask: true }),
        ],
    });
    return merge(own, osNetwork());
}

/**
 * Fedora CoreOS' Zincati stages the updates that its publisher releases, locked: a reboot leaves them out until they are
 * finalized. With this strategy it finalizes one itself only once a marker file exists, and nothing creates it:
 * `os-reboot` (os-reboot.ts) finalizes the update when the node reboots in its turn. A file in this directory that sorts
 * later overrides it.
 *
 * Sources: coreos/zincati `src/strategy/marker_file.rs`, coreos/rpm-ostree's tests of `--lock-finalization`.
 */
const zincati = file("/etc/zincati/config.d/55-tradewind.toml", '[updates]\nstrategy = "marker_file"\n', {
    mode: 0o644,
});

// tcp_migrate_req hands connections waiting in a closing listener to the other listener on the port.
const sysctls = ({ podCidr6 }: Network) => `fs.inotify.max_user_instances = 1024
fs.inotify.max_user_watches = 131072
net.ipv4.ip_forward = 1
net.ipv4.tcp_migrate_req = 1
${podCidr6 ? "net.ipv6.conf.all.forwarding = 1\n" : ""}`;

/** Of a server that the OS image may run. */
const sshPort = 22;

/** Address of a cloud machine's metadata, including its user-data. */
const metadataAddress = "169.254.169.254";

/**
 * A packet to a service or pod address that matches no rule (before kube-proxy is ready, or after it died) must not
 * follow the default route out of the machine. Service addresses need an existing route, because the kernel looks one
 * up before kube-proxy's rules rewrite the destination: they get a bridge without ports.
 *
 * Everything is marked as created by the kernel: systemd-networkd never removes such routes, whatever its version and
 * settings, even if it started before its settings were written.
 */
function routes({ serviceCidr, podCidr, serviceCidr6, podCidr6 }: Network): string {
    return `#!/bin/sh
# Keeps packets for service and pod addresses on this machine until a more specific route exists.
set -eu
ip link show services >/dev/null 2>&1 || ip link add services type bridge
ip link set services up
ip route replace ${serviceCidr.text} dev services proto kernel
ip route replace unreachable ${podCidr.text} metric 4096 proto kernel
${serviceCidr6 ? `ip -6 route replace ${serviceCidr6.text} dev services proto kernel\n` : ""}\
${podCidr6 ? `ip -6 route replace unreachable ${podCidr6.text} metric 4096 proto kernel\n` : ""}\
# The metadata service serves this machine's user data; pods must not read it.
ip rule del from ${podCidr.text} to ${metadataAddress} prohibit priority 100 2>/dev/null || true
ip rule add from ${podCidr.text} to ${metadataAddress} prohibit priority 100 protocol kernel
`;
}

/**
 * Keeps the pod network from etcd and SSH on a controller. VXLAN goes around the cloud's firewall: root on any node may
 * send packets for a controller's own addresses inside it. Another CNI's packets are known by the addresses of pods. The
 * same for each CNI, because it can change.
 *
 * The rule for local addresses is first, so it has to move behind these. It exists at every moment. Like the rules above,
 * they need no program on the machine but `ip`, whatever mode kube-proxy and flannel use, and no restart of those removes
 * them. Connections over IP fragments are covered too, because kube-proxy's connection tracking puts them together first.
 */
function controllerGuard({ podCidr, podCidr6 }: Network): string {
    const block = podCidr6 ? `$([ $family = -4 ] && echo ${podCidr.text} || echo ${podCidr6.text})` : podCidr.text;
    return `# No firewall sees the packets of the pod network: these ports are not for them. The rule for local addresses follows.
for family in -4${podCidr6 ? " -6" : ""}; do
    [ -n "$(ip $family rule list priority 10)" ] || ip $family rule add lookup local priority 10 protocol kernel
    ip $family rule del lookup local priority 0 2>/dev/null || true
    for packets in "iif flannel.1" "iif flannel-v6.1" "iif cni0" "from ${block}"; do
        for port in ${ports.etcdClient}-${ports.etcdMetrics} ${sshPort}; do
            rule="$packets ipproto tcp dport $port prohibit priority 5"
            # shellcheck disable=SC2086 # words
            ip $family rule del $rule 2>/dev/null || true
            # shellcheck disable=SC2086 # words
            ip $family rule add $rule protocol kernel
        done
    done
done
`;
}

// The archive's owners do not exist here: the node-agent, which may not bypass permissions, writes there as root.
const installCniPlugins = `#!/bin/sh
# Installs the CNI plugins that ${paths.cniPlugins} names, on first boot, unless they are intact; the node-agent updates them later.
set -eu
command -v iptables >/dev/null || command -v nft >/dev/null ||
    echo "<4>this machine has neither iptables nor nft: pods with a hostPort will not start (CNI plugin portmap)" >&2
. ${paths.cniPlugins}
archive=${paths.cni}/${cniPluginsArchive("$CNI_PLUGINS_SHA256")}
sums=\${archive%.tgz}.sums
mkdir -p ${paths.cni}/bin
cd ${paths.cni}/bin
if [ -f "$archive" ] && grep -qs "^[0-9a-f]*  ." "$sums" && sha256sum --check --status "$sums"; then exit 0; fi
# shellcheck disable=SC2086 # a list of URLs
${fetchScript} "$archive" "$CNI_PLUGINS_SHA256" $CNI_PLUGINS_URLS
tar -xzf "$archive" --no-same-owner
# After a power cut, the checksums must not exist without the plugins.
sync ./*
tar -tzf "$archive" | sed 's#^[.]/##; /^$/d; s#/$##' | while read -r file; do [ ! -f "$file" ] || sha256sum "$file"; done >"$sums.new"
sync "$sums.new"
mv "$sums.new" "$sums"
`;

function oneshot(description: string, script: string, after: string): string {
    return `[Unit]
Description=${description}
Wants=${after}
After=${after}
StartLimitIntervalSec=0

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=${launcher} ${paths.bin}/${script}
Restart=on-failure
RestartSec=2

[Install]
WantedBy=multi-user.target
RequiredBy=kubelet.service
`;
}

/** Links created by Tradewind, kube-proxy and CNI plugins, as networkd patterns. */
const links = [
    ...["services", "cni*", "flannel*", "veth*", "kube-*", "tun-*"],
    ...["cali*", "tunl*", "vxlan.calico", "cilium_*", "lxc*"],
];

/**
 * Keeps systemd-networkd, where the OS uses it, away from routes and links configured by others. By default it removes
 * all foreign routes and rules, such as those of CNI plugins, when it starts or reconfigures a link. An OS whose
 * networkd manages every link, such as Flatcar, would run DHCP on the links of pods.
 *
 * NetworkManager, as on Fedora CoreOS, needs none of this: it does not touch rules that it did not create, or routes of
 * other links.
 */
function osNetwork(): Config {
    return config({
        files: [
            file("/etc/systemd/networkd.conf.d/90-tradewind.conf", foreign, { mode: 0o644 }),
            // The first file that matches a link is used.
            file("/etc/systemd/network/05-tradewind.network", unmanaged, { mode: 0o644 }),
        ],
    });
}

const foreign = `# Routes and rules of CNI plugins and of node-routes.service stay.
[Network]
ManageForeignRoutes=no
ManageForeignRoutingPolicyRules=no
`;

const unmanaged = `# Links of pods and services: the programs that make them configure them.
[Match]
Name=${links.join(" ")}

[Link]
Unmanaged=yes
`;
