import type { Flags } from "../../flags/check";
import { cniConfigs, podBridge } from "../../network/cni";
import { ports } from "../../network/ports";
import { json } from "../objects";
import { type Container, confined, type EnvVar, fieldEnv, lastWords, type Volume, type VolumeMount } from "../pod";
import { cniState, repairCniState } from "./cni-state";
import { overlayId } from "./flannel-overlay";
import { flannelRun, handover } from "./handover";
import { toolsPath } from "./kube-router-scripts";

const cniConfig = {
    name: podBridge.network,
    cniVersion: "0.3.1",
    plugins: [
        {
            type: "bridge",
            bridge: podBridge.link,
            isDefaultGateway: true,
            // A Node that was deleted and registered again gets another block.
            forceAddress: true,
            hairpinMode: true,
            mtu: 0,
            ipam: { type: "host-local" },
        },
        { type: "portmap", capabilities: { portMappings: true } },
    ],
};

const configPath = cniConfigs["kube-router"];
const tables = "/etc/iproute2/rt_tables";

/** Bytes of a packet that a tunnel adds: headers of Ethernet, VXLAN, UDP and IPv4. */
const tunnelBytes = 50;

/** kube-router adds this node's block of pod addresses to it. Readable by root only, as the CIS benchmark requires. */
const installScript = `#!/bin/sh
# Writes the CNI configuration with the MTU of tunnels, without the node's earlier block of pod addresses, and removes state
# of plugins that a power cut emptied, and the configuration of a flannel that no longer runs.
set -eu
umask 077
link=$(ip -o -4 addr show | awk -v own="$NODE_IP/" 'index($4, own) == 1 { print $2 }')
mtu=$(($(cat "/sys/class/net/$link/mtu") - ${tunnelBytes}))
sed "s/\\"mtu\\": 0/\\"mtu\\": $mtu/" ${toolsPath}/cni-conf.json >${configPath}.new
mv ${configPath}.new ${configPath}
[ -e ${flannelRun}/subnet.env ] || rm -f ${cniConfigs.flannel}
${repairCniState}
`;

/** The image's own: busybox's shell runs its own command of this name, whatever `PATH` says. */
const ip = "/usr/bin/ip";

/**
 * kube-router makes its tunnels with `ip`. Its IPIP would need a kernel module that not every kernel has.
 *
 * It would also send packets of pods for other nodes themselves through the tunnels, with the pods' addresses. Here they
 * have their node's address outside tunnels, as with flannel, so that connections outlive a change from one to the other.
 *
 * A tunnel of VXLAN is a link of Ethernet, but both ends have the same address, so that packets need no ARP. The kernel
 * drops packets from its own address as loops: hence another sender. The number of a tunnel is the same at both ends,
 * and differs from those of all other tunnels of a node.
 */
const ipScript = `#!/bin/sh
# ip, but \`ip tunnel add NAME mode ipip local OWN remote PEER\` makes a tunnel of VXLAN, whose address here is that of
# the bridge of pods, and no rule routes packets by their sender.
set -eu
ip=${ip}
case "$*" in *"rule add from "*" lookup 77") exit 0 ;; esac
if [ "$1 \${2:-}" != "tunnel add" ]; then exec $ip "$@"; fi
name=$3 own=$7 peer=$9
block=$(cat ${configPath} 2>/dev/null | sed -n 's/.*"subnet": *"\\([^/]*\\)\\/.*/\\1/p' | head -n 1)
# Before kube-router runs for the first time: flannel's own address on this node is the first one of its block.
[ -n "$block" ] || block=$($ip -4 -o addr show dev flannel.${overlayId} | sed -n 's/.* inet \\([^/ ]*\\).*/\\1/p')
number() { echo "$1" | { IFS=. read -r _ b c d && echo $(((b << 16) + (c << 8) + d)); }; }
link=$($ip -4 route get "$peer" | sed -n 's/.* dev \\([^ ]*\\).*/\\1/p')
id=$(($(number "$own") ^ $(number "$peer")))
# flannel's number.
[ $id != ${overlayId} ] || id=0
$ip link add "$name" address 02:00:00:00:00:02 type vxlan id $id \\
    local "$own" remote "$peer" dev "$link" dstport ${ports.flannelVxlan} nolearning
$ip link set "$name" arp off
$ip addr add "\${block%.*}.$((\${block##*.} + 1))" dev "$name"
nft "delete chain netdev kube-router $name" 2>/dev/null || true
nft -f - <<END || { $ip link delete "$name"; exit 1; }
table netdev kube-router {
    chain $name {
        type filter hook egress device "$name" priority 0
        ether saddr set 02:00:00:00:00:01
    }
}
END
`;

/** Files in addition to the scripts. kube-router only adds its routing table to the list of tables if it is missing. */
export const routerFiles = {
    "cni-conf.json": json(cniConfig),
    "install-cni-config": installScript,
    ip: ipScript,
    rt_tables: "77 kube-router\n",
};

/**
 * Routes between nodes, which exchange the blocks of their pods by BGP, each node with all others. A network may drop
 * packets with addresses of pods, as that of local clusters does: so each route is a tunnel.
 */
export const routerFlags: Flags = {
    "enable-overlay": "true",
    "overlay-type": "full",
    "auto-mtu": "false",
    // Routes stay while kube-router restarts, and a node waits for those of nodes that are off for a moment only.
    "bgp-graceful-restart": "true",
    "bgp-graceful-restart-deferral-time": "15s",
    // The most that BGP allows: while another CNI replaces it, nodes keep the routes to those that it has left.
    "bgp-graceful-restart-time": "4095s",
};

export const routerEnv: readonly EnvVar[] = [{ name: "KUBE_ROUTER_CNI_CONF_FILE", value: configPath }];

export const routerMounts: readonly VolumeMount[] = [
    ...handover.mounts,
    { name: "config", mountPath: tables, subPath: "rt_tables", readOnly: true },
];

export const routerVolumes: readonly Volume[] = [...handover.volumes, cniState.volume];

export function installCniConfig(image: string): Container {
    return {
        name: "install-cni-config",
        image,
        ...lastWords,
        command: [`${toolsPath}/install-cni-config`],
        env: [fieldEnv("NODE_IP", "status.hostIP")],
        securityContext: { ...confined, runAsUser: 0, runAsGroup: 0 },
        volumeMounts: [{ name: "config", mountPath: toolsPath, readOnly: true }, ...handover.mounts, cniState.mount],
    };
}
