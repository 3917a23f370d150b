import type { Cluster } from "../../model";
import { cniConfigs, cniFolder } from "../../network/cni";
import { ports } from "../../network/ports";
import { type Container, fieldEnv, lastWords } from "../pod";
import { overlayGuard } from "./overlay-guard";

/** flannel's number of its VXLAN. */
export const overlayId = 1;

/** How hardware addresses of flannel's links begin, before the last four bytes of their node's address. */
export const overlayPrefixes = { ipv4: "02:f1:", ipv6: "06:f1:" } as const;

/** Shell: `$ip` is iproute2's, by its path: a shell of busybox may run its own, which makes no tunnels. */
export const findIp = `ip=/sbin/ip
[ -x $ip ] || ip=/usr/bin/ip
`;

/**
 * Makes flannel's links before it does, with hardware addresses that follow from the node's addresses, which the API can
 * check: `flannel-policy.ts`. flannel keeps a link with the same settings. Its own choice would be a random one.
 */
export const ensureOverlay = `# ensure LINK HARDWARE_ADDRESS ADDRESS
ensure() {
    name=$1 hardware=$2 address=$3
    # shellcheck disable=SC2046 # words: 2: eth0 inet ...
    set -- $($ip -o addr show to "$address")
    link=\${2%%@*}
    shown=$($ip -d link show "$name" 2>/dev/null) || true
    case $shown in
    *" local $address dev $link "*) ;;
    *)
        $ip link delete "$name" 2>/dev/null || true
        $ip link add "$name" address "$hardware" type vxlan id ${overlayId} \\
            local "$address" dev "$link" dstport ${ports.flannelVxlan} nolearning
        ;;
    esac
    # Setting even the address that it has would remove its neighbors: packets to other nodes were lost until flannel runs.
    case $shown in *" link/ether $hardware "*) ;; *) $ip link set "$name" address "$hardware" ;; esac
    # Another node may send as soon as flannel publishes this one.
    $ip link set "$name" up
}
hardware() {
    IFS=.
    # shellcheck disable=SC2086 # words
    set -- $1
    unset IFS
    printf '${overlayPrefixes.ipv4}%02x:%02x:%02x:%02x' "$@"
}
hardware6() {
    last=\${1##*:} rest=\${1%:*}
    before=\${rest##*:}
    printf '${overlayPrefixes.ipv6}%02x:%02x:%02x:%02x' \\
        $((0x0$before >> 8)) $((0x0$before & 255)) $((0x0$last >> 8)) $((0x0$last & 255))
}
ensure flannel.${overlayId} "$(hardware "$NODE_IP")" "$NODE_IP"
case \${NODE_IPS:-} in *,*) ensure flannel-v6.${overlayId} "$(hardware6 "\${NODE_IPS#*,}")" "\${NODE_IPS#*,}" ;; esac
`;

/** The rules of a node where kube-router still is the pod network stay until it has left. */
const script = `set -eu
${findIp}${ensureOverlay}[ ! -e ${cniConfigs["kube-router"]} ] || exit 0
${overlayGuard()}`;

/** Prepares a node's overlay before flannel starts. */
export function prepareOverlay({ images, network }: Pick<Cluster, "images" | "network">): Container {
    return {
        name: "prepare-overlay",
        image: images.flannel,
        ...lastWords,
        command: ["sh", "-c", script],
        env: [
            fieldEnv("NODE_IP", "status.hostIP"),
            ...(network.podCidr6 ? [fieldEnv("NODE_IPS", "status.hostIPs")] : []),
        ],
        securityContext: { capabilities: { add: ["NET_ADMIN"] } },
        volumeMounts: [{ name: "cni", mountPath: cniFolder, readOnly: true }],
    };
}
