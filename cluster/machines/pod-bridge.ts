import { type Config, config, file, unit } from "../../ignition";
import { launcher, paths } from "../paths";

/** Where flannel writes the address block of the node's pods. */
export const flannelSubnet = "/run/flannel/subnet.env";

const program = `${paths.bin}/fit-pod-bridge`;

/** Where the CNI plugin host-local keeps the addresses of the node's pods: a file each, with the sandbox in its first line. */
export const podAddresses = "/var/lib/cni/networks/cbr0";

// Source of the error: the CNI project's bridge plugin, "already has an IP address different from".
const script = `#!/bin/sh
# Deletes the bridge of pods if its address is outside the node's pod CIDR: a Node that is registered again gets another
# CIDR, and new pods get no network on a bridge with an old address. The next pod recreates it. The kubelet
# creates a pod again whose sandbox has ended: those that still have an old address would have no network.
set -eu
# Removing it also triggers the path unit.
[ -e ${flannelSubnet} ] || exit 0
block=$(sed -n 's/^FLANNEL_SUBNET=//p' ${flannelSubnet})
address=$(ip -4 -o addr show dev cni0 2>/dev/null | sed -n 's/.* inet \\([^ ]*\\).*/\\1/p')
if [ -n "$block" ] && [ -n "$address" ] && [ "$address" != "$block" ]; then
    echo "tradewind: the pod CIDR of this node is now $block; deleting the bridge cni0 with address $address"
    sandboxes=$(grep -hoE '^[0-9a-f]{64}' ${podAddresses}/* 2>/dev/null | sort -u || true)
    ip link delete cni0
    for sandbox in $sandboxes; do
        /usr/bin/ctr --namespace k8s.io tasks kill --signal SIGKILL "$sandbox" 2>/dev/null || true
    done
fi
`;

/** Keeps the bridge of a node's pods, and these, consistent with the block that flannel has for the node. */
export function podBridge(): Config {
    return config({
        files: [file(program, script, { mode: 0o755 })],
        units: [
            unit("pod-bridge.path", {
                enabled: true,
                contents: `[Unit]
Description=Watch the block of addresses of this node's pods

[Path]
PathChanged=${flannelSubnet}

[Install]
WantedBy=multi-user.target
`,
            }),
            unit("pod-bridge.service", {
                contents: `[Unit]
Description=Delete the bridge of pods if it has an address of an earlier block

[Service]
Type=oneshot
ExecStart=${launcher} ${program}
`,
            }),
        ],
    });
}
