import type { Network } from "../../model";
import { ports } from "../../network/ports";

/** The bridge that the pods of a node are connected to: kube-router's own, or that of flannel's plugin. */
export function bridgeOf({ cni }: Pick<Network, "cni">): string {
    return cni === "kube-router" ? "kube-bridge" : "cni0";
}

/**
 * Shell: drops packets of pods to the overlay's port on any node, which would deliver what is inside them with any sender
 * to any pod, past all NetworkPolicies. Between pods, on the bridge or by links of the overlay, the port is like any other.
 * kube-router sends packets of pods to other nodes by these links, so they are dropped where they arrive.
 *
 * Behind the translation of addresses: a Service may lead to a node.
 *
 * @param bridge - where the node's pods are connected
 * @param links - nftables' pattern of the overlay's links
 */
export function overlayGuard(bridge: string, links: string): string {
    return `nft -f - <<END
table inet tradewind-overlay
delete table inet tradewind-overlay
table inet tradewind-overlay {
    chain input {
        type filter hook input priority filter; policy accept;
        iifname "${bridge}" udp dport ${ports.flannelVxlan} counter drop
        iifname "${links}" udp dport ${ports.flannelVxlan} counter drop
    }
    chain forward {
        type filter hook forward priority filter; policy accept;
        iifname "${bridge}" oifname != "${bridge}" oifname != "${links}" udp dport ${ports.flannelVxlan} counter drop
    }
}
END
`;
}
