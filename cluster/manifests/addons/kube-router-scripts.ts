import type { Network } from "../../model";
import { podBridge } from "../../network/cni";
import { ports } from "../../network/ports";
import { overlayPrefixes } from "./flannel-overlay";
import { fromPodsToNodes, overlayGuard } from "./overlay-guard";

/** Where kube-router's containers find these scripts, before other commands of the same name. */
export const toolsPath = "/opt/packet-filter";

/** Pattern of the names of its chains. */
const itsChains = "KUBE-(ROUTER|POD-FW|NWPLCY)-";

/** The same with the chains of the restore script. */
const chains = "KUBE-(ROUTER|POD-FW|NWPLCY|NWPOUT)-";

/** Scripts that change the packet filter of a node, by file name. */
export function packetFilterScripts(network: Pick<Network, "cni" | "podCidr" | "podCidr6">): Record<string, string> {
    return {
        ...variants,
        "block-link-local": blockLinkLocal,
        clear,
        ...(network.podCidr6 && { ipset: ownSets }),
        ...(network.cni === "kube-router" && { "guard-bgp": guardBgp(network) }),
    };
}

/** kube-router 2.1.0 creates sets of IPv6 addresses with a prefix, but its rules name them without it. */
const prefixSets = `        gsub(/--match-set KUBE-/, "--match-set inet6:KUBE-", rules[i])
`;

/**
 * The image's own iptables replaces itself at the first call with the variant that the node seems to use, for which its
 * root would have to be writable. nftables' variant works on every node: rules of the other one apply, too.
 */
const variants = Object.fromEntries(
    ["iptables", "ip6tables"].flatMap((family) => [
        [family, `#!/bin/sh\nexec ${family}-nft "$@"\n`],
        [`${family}-save`, `#!/bin/sh\nexec ${family}-nft-save "$@"\n`],
        [`${family}-restore`, restoreOwn(family)],
    ]),
);

/**
 * kube-router saves the whole table, changes its own chains and restores the table, which would undo what kube-proxy or
 * another program wrote in between. So only its own chains are restored, in one transaction.
 *
 * It runs a pod's traffic in both directions through one chain per policy that restricts both, such as one that denies
 * ingress and allows egress, whose pods could thus reach each other. So the rules for egress get a chain of their own.
 * Such a rule matches the set of the policy's pods as the source, of which there is one as the destination, too.
 */
function restoreOwn(family: string): string {
    return `#!/bin/sh
# Restores kube-router's chains out of a whole table, and deletes those of them that the table lacks. The rules for egress
# of a policy that restricts both directions move to a chain KUBE-NWPOUT.
{ ipset list -n; ${family}-nft-save -t filter; echo '# new'; cat; } | awk '
/^(inet6:)?KUBE-DST-/ { both[substr($1, length($1) - 15)] }
/^# new$/ { isNew = 1 }
!isNew && /^:${chains}/ { old[$1] }
isNew && /^:${itsChains}/ { kept[$1]; print $1, "- [0:0]" }
isNew && /^-[AI] ${itsChains}/ { rules[++count] = $0 }
isNew && / --src-type LOCAL -d / { address[$2] = $(NF - 2) }
isNew && /^-I KUBE-POD-FW-[^ ]+ 1 -m comment --comment "[^"]*" -j KUBE-NWPLCY-/ {
    jumps[count]
    out[$NF] = $NF
    sub(/NWPLCY/, "NWPOUT", out[$NF])
}
BEGIN { print "*filter" }
END {
    for (chain in out) {
        kept[":" out[chain]]
        print ":" out[chain], "- [0:0]"
    }
    for (chain in old) if (!(chain in kept)) print chain, "- [0:0]"
    for (i = 1; i <= count; i++) {
        split(rules[i], word)
        source = match(rules[i], /KUBE-SRC-[^ ]+ src/) ? substr(rules[i], RSTART + 9, 16) : ""
${family === "ip6tables" ? prefixSets : ""}        if (word[2] in out && source in both) sub(word[2], out[word[2]], rules[i])
        if (i in jumps) {
            ingress = egress = rules[i]
            sub(/ -j /, " -d " address[word[2]] "&", ingress)
            sub(/ -j KUBE-NWPLCY-/, " -s " address[word[2]] " -j KUBE-NWPOUT-", egress)
            rules[i] = ingress "\\n" egress
        }
        print rules[i]
    }
    for (chain in old) if (!(chain in kept)) print "-X", substr(chain, 2)
    print "COMMIT"
}' | ${family}-nft-restore --noflush "$@"
`;
}

/**
 * With both IP families, kube-router 2.1.0 saves all sets once per family, and each time restores them all, whereby those
 * of the other family become what they were before. It writes all it needs in each sync, and only deletes sets that it
 * finds by saving, and only those of IPv4.
 */
const ownSets = `#!/bin/sh
# Hides sets of NetworkPolicies from kube-router when it saves them, and deletes those that no rule uses.
PATH=\${PATH#*:}
[ "$1" = save ] || exec ipset "$@"
for set in $(ipset list -n); do
    case $set in
    KUBE-SRC-* | KUBE-DST-* | inet6:KUBE-SRC-* | inet6:KUBE-DST-*) ipset destroy "$set" 2>/dev/null || : ;;
    esac
done
`;

// The links of pods all have such an address, also without IPv6: kube-router has no rules for them. Neighbour discovery
// needs them.
const linkLocal = `PREROUTING -i ${podBridge.link} -d fe80::/10 ! -p icmpv6 -j DROP`;

const blockLinkLocal = `#!/bin/sh
# Drops packets that pods send to link-local addresses, to which no policy would apply.
set -eu
ip6tables-nft -t raw -C ${linkLocal} 2>/dev/null || ip6tables-nft -t raw -A ${linkLocal}
`;

const clear = `#!/bin/sh
# Removes all rules and sets of NetworkPolicies from this node, the rules at once.
set -eu
for family in iptables ip6tables; do
    $family-nft-save -t filter | awk '
    /^:${chains}/ { chains[substr($1, 2)]; print $1, "- [0:0]" }
    /^-A (INPUT|FORWARD|OUTPUT) .*-j KUBE-ROUTER-/ { sub(/^-A/, "-D"); print }
    BEGIN { print "*filter" }
    END { for (chain in chains) print "-X", chain; print "COMMIT" }' | $family-nft-restore --noflush
done
for set in $(ipset list -n); do
    case $set in
    KUBE-SRC-* | KUBE-DST-* | inet6:KUBE-SRC-* | inet6:KUBE-DST-*)
        # The kernel releases the sets of removed rules a moment later.
        until ipset destroy "$set"; do sleep 1; done
        ;;
    esac
done
while ip6tables-nft -t raw -C ${linkLocal} 2>/dev/null; do
    ip6tables-nft -t raw -D ${linkLocal}
done
`;

/**
 * Nodes exchange routes over TCP. kube-router only accepts the addresses of other nodes as peers, which pods have when
 * they reach another node, so they may not reach these ports. Its server also listens for commands, without
 * authentication, on the node's address: nothing uses them. Root on another node could send packets in a tunnel with any
 * address, but nodes use their own network to reach each other.
 *
 * kube-proxy translates packets of Services that have its mark.
 */
const guardBgp = ({ podCidr: { text: pods } }: Pick<Network, "podCidr">) => `#!/bin/sh
# Drops packets to this node: commands for the BGP server from other machines, routes from pods, and false senders. Gives
# packets in tunnels addresses of the pod network, and those of pods outside it the node's address.
set -eu
${overlayGuard(`    chain prerouting {
        type filter hook prerouting priority raw; policy accept;
        fib daddr type local iifname != "lo" tcp dport ${ports.bgpCommands} counter drop
        fib daddr type local iifname "${podBridge.link}" tcp dport ${ports.bgp} counter drop
        fib daddr type local ip saddr ${pods} tcp dport ${ports.bgp} counter drop
        fib daddr type local iifname "tun-*" ip saddr != ${pods} counter drop
    }
    chain forward-bgp {
        type filter hook forward priority filter; policy accept;
        ${fromPodsToNodes} tcp dport { ${ports.bgp}, ${ports.bgpCommands} } counter drop
    }
    chain postrouting {
        type nat hook postrouting priority srcnat - 10; policy accept;
        meta mark & 0x4000 != 0 return
        oifname "tun-*" ip saddr != ${pods} masquerade
        oifname != "${podBridge.link}" oifname != "flannel*" oifname != "tun-*" ip saddr ${pods} ip daddr != ${pods} masquerade
    }
`)}
# On a node of flannel: its ends of the tunnels, before other nodes use them. Hardware addresses of flannel's links contain
# those of their nodes.
/usr/bin/ip -4 neigh show dev flannel.1 2>/dev/null |
    sed -n 's/.* lladdr ${overlayPrefixes.ipv4}\\(..\\):\\(..\\):\\(..\\):\\(..\\).*/0x\\1 0x\\2 0x\\3 0x\\4/p' |
    while read -r a b c d; do
        name=tun-$(printf %d%d%d%d "$a" "$b" "$c" "$d" | sha256sum | cut -c1-11)
        [ ! -e "/sys/class/net/$name" ] || continue
        ${toolsPath}/ip tunnel add "$name" mode ipip local "$NODE_IP" remote "$((a)).$((b)).$((c)).$((d))"
        ${toolsPath}/ip link set "$name" up
    done
`;
