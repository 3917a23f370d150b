import { podBridge } from "../../network/cni";
import { ports } from "../../network/ports";

const { link: bridge } = podBridge;

/** nftables: packets of pods that leave the node's pods and its overlay, of either CNI of ours while one replaces the other. */
export const fromPodsToNodes = `iifname "${bridge}" oifname != "${bridge}" oifname != "flannel*" oifname != "tun-*"`;

/**
 * Shell: drops packets of pods to the overlay's port on any node, which would deliver what is inside them with any sender
 * to any pod, past all NetworkPolicies. Between pods, on the bridge or by links of the overlay, the port is like any other.
 * kube-router sends packets of pods to other nodes by these links, so they are dropped where they arrive.
 *
 * Behind the translation of addresses: a Service may lead to a node.
 *
 * @param more - chains of nftables in the same table
 */
export function overlayGuard(more = ""): string {
    return `nft -f - <<END
table inet tradewind-overlay
delete table inet tradewind-overlay
table inet tradewind-overlay {
    chain input {
        type filter hook input priority filter; policy accept;
        iifname "${bridge}" udp dport ${ports.flannelVxlan} counter drop
        iifname "flannel*" udp dport ${ports.flannelVxlan} counter drop
        iifname "tun-*" udp dport ${ports.flannelVxlan} counter drop
    }
    chain forward {
        type filter hook forward priority filter; policy accept;
        ${fromPodsToNodes} udp dport ${ports.flannelVxlan} counter drop
    }
${more}}
END
`;
}
