import { cniConfigs, cniFolder, podBridge } from "../../network/cni";
import type { Volume, VolumeMount } from "../pod";
import { ensureOverlay, findIp, overlayId } from "./flannel-overlay";
import { overlayGuard } from "./overlay-guard";

/*
 * How flannel and kube-router replace each other while pods run: docs/cni.md#change. Pods keep their links and addresses;
 * only routes between nodes change, one by one, while both have links to all nodes. Each leaves a node last of all. What
 * shows that kube-router is, or was until now, the pod network of a node is its CNI configuration.
 */

/** Where flannel writes the node's block of pod addresses. It exists as long as flannel runs. */
export const flannelRun = "/run/flannel";

const ofFlannel = `flannel.${overlayId}`;
const { flannel: flannelConfig, "kube-router": routerConfig } = cniConfigs;

/** kube-router's routes, which it marks as those of Zebra. */
const routerRoutes = "$ip -4 route show proto 17";

/**
 * Removes what kube-router's router left on a node, once flannel has its routes. Runs when flannel starts, which it waits
 * for, and when kube-router starts as a mere firewall: flannel may already run. Other nodes may still send packets through
 * the tunnels, so these are removed later, after two minutes without any.
 */
export const leaveRouterScript = `#!/bin/sh
# Replaces kube-router's routes by flannel's, and then removes what else it left on this node.
set -eu
[ -e ${routerConfig} ] || exit 0
${findIp}${ensureOverlay}
tries=0
runs() { [ -e ${flannelRun}/subnet.env ]; }
# Before flannel comes, its links are ready, and that is all.
until runs; do
    [ "\${1:-}" = wait ] && [ $tries -lt 60 ] || exit 0
    tries=$((tries + 1))
    sleep 1
done
replace() {
    ${routerRoutes} | while read -r block _; do
        [ -z "$($ip neigh show "\${block%/*}" dev ${ofFlannel})" ] ||
            $ip route replace "$block" via "\${block%/*}" dev ${ofFlannel} onlink
    done
}
# A node that is off gets none.
until replace && [ -z "$(${routerRoutes})" ] || [ $tries -ge 60 ]; do
    tries=$((tries + 1))
    sleep 1
done
# remove TABLE PATTERN: its rules in that table
remove() {
    { echo "*$1" && iptables-nft-save -t "$1" | sed -n "/$2/s/^-A/-D/p" && echo COMMIT; } | iptables-nft-restore --noflush
}
remove nat '--match-set kube-router-pod-subnets src'
remove filter '^-A FORWARD .*"allow \\(outbound traffic from\\|inbound traffic to\\|outbound node port traffic\\)'
$ip link delete kube-bridge 2>/dev/null || true
${overlayGuard()}# Last of all: if anything failed, it is tried again.
rm -f ${routerConfig}
(
    received() { cat /sys/class/net/tun-*/statistics/rx_packets 2>/dev/null; }
    before=none
    until [ "$before" = "$(received)" ]; do
        before=$(received)
        sleep 120
    done
    for link in /sys/class/net/tun-*; do [ ! -e "$link" ] || $ip link delete "\${link##*/}"; done
    nft delete table netdev kube-router
) >/dev/null 2>&1 </dev/null &
`;

/**
 * Removes flannel from a node where kube-router has all routes, before flannel ends. Otherwise it stays as it is until the
 * node boots, and its packets flow. Its address stays, because connections of this node to pods of others may have it.
 */
export const leaveFlannelScript = `#!/bin/sh
# Removes flannel from this node if kube-router has replaced it.
set -eu
[ -e ${routerConfig} ] || exit 0
${findIp}rm -f ${flannelConfig} ${flannelRun}/subnet.env
# Nodes that announce their blocks to this one do not send packets by flannel any more, and a moment later none does.
tries=0
until [ -z "$($ip -4 route show dev ${ofFlannel})" ]; do
    [ $tries -lt 60 ] || exit 0
    tries=$((tries + 1))
    sleep 1
done
sleep 5
address=$($ip -4 -o addr show dev ${ofFlannel} | sed -n 's/.* inet \\([^ ]*\\).*/\\1/p')
[ -z "$address" ] || $ip addr replace "$address" dev lo
$ip link delete ${ofFlannel}
`;

/** Where the plugin flannel keeps, for each pod, the configuration that removes it again. */
const pluginState = "/var/lib/cni/flannel";

/**
 * Shell: makes the plugin flannel able to remove the pods of a node of kube-router. Otherwise their addresses would stay
 * in use.
 */
export const adoptPods = `if [ -e ${routerConfig} ]; then
    block=$(sed -n 's/.*"subnet": *"\\([^"]*\\)".*/\\1/p' ${routerConfig})
    mkdir -p ${pluginState}
    for file in /var/lib/cni/networks/${podBridge.network}/*.*.*.*; do
        pod=$(sed -n '1s/[^0-9a-f]*$//p' "$file")
        if [ -z "$pod" ] || [ -e "${pluginState}/$pod" ]; then continue; fi
        cat >"${pluginState}/$pod" <<END
{"cniVersion":"0.3.1","name":"${podBridge.network}","type":"bridge","ipam":{"type":"host-local","ranges":[[{"subnet":"$block"}]]}}
END
    done
fi`;

/** Where both of them see each other. Only flannel writes to its folder. */
export const handover = {
    mounts: [
        { name: "cni", mountPath: cniFolder },
        { name: "run", mountPath: flannelRun, readOnly: true },
    ] satisfies VolumeMount[],
    volumes: [
        { name: "cni", hostPath: { path: cniFolder, type: "DirectoryOrCreate" } },
        { name: "run", hostPath: { path: flannelRun, type: "DirectoryOrCreate" } },
    ] satisfies Volume[],
};
