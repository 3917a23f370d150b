import { type Config, config, file } from "../../ignition";
import { paths } from "../paths";

/** The upstream servers of systemd-resolved. */
const upstream = "/run/systemd/resolve/resolv.conf";

/** What pods get where neither file has only servers that they can reach. */
const own = "/run/resolv-conf-of-pods";

/** In TEST-NET-1 (RFC 5737), which no network routes: CoreDNS does not start without a server. */
const unreachable = "192.0.2.1";

/** How long the start of a kubelet waits for a server. A machine that has none works, too, from then on. */
const MOST_SECONDS = 10;

/** Sorts before the user's own drop-ins, which override it. */
export const resolvConfDropIn = `${paths.kubeletConfigDropIns}/10-resolv-conf.conf`;

/** Runs before each start of the kubelet, because an OS upgrade may add or remove systemd-resolved. */
export const resolvConfScript = `${paths.bin}/resolv-conf`;

/**
 * Sets the `resolv.conf` of pods that use their node's DNS (`dnsPolicy: Default`), such as CoreDNS.
 *
 * Where /etc/resolv.conf points to systemd-resolved's stub on a loopback address, as on Ubuntu and Fedora CoreOS,
 * CoreDNS would query itself and its loop plugin would stop it: kubernetes/kubeadm#1162, coredns/coredns#2087. Without
 * any server it would not start either (coredns/coredns#5764), and no name of the cluster would resolve.
 */
export function resolvConf(): Config {
    return config({ files: [file(resolvConfScript, script, { mode: 0o755 })] });
}

const script = `#!/bin/sh
# Writes a resolv.conf for pods that use this machine's DNS servers, without servers on its loopback address.
set -eu
loopback='^[[:space:]]*nameserver[[:space:]]+(127\\.|::1([[:space:]]|$))'
server='^[[:space:]]*nameserver[[:space:]]+[0-9a-fA-F:]'
has_server() { grep -shvE "$loopback" /etc/resolv.conf ${upstream} | grep -qE "$server"; }
is_usable() { grep -qsE "$server" "$1" && ! grep -qE "$loopback" "$1"; }
# Servers may become known shortly after the network is up, and pods keep the ones they started with.
seconds=${MOST_SECONDS}
while ! has_server && [ $seconds -gt 0 ]; do
    sleep 1
    seconds=$((seconds - 1))
done
if is_usable /etc/resolv.conf; then
    rm -f ${resolvConfDropIn}
    exit
fi
file=${upstream}
if ! is_usable $file; then
    file=${own}
    grep -svE "$loopback" /etc/resolv.conf >$file || true
    # Unreachable, but CoreDNS does not start without a server; it then resolves the cluster's names.
    grep -qE "$server" $file || echo nameserver ${unreachable} >>$file
fi
mkdir -p ${paths.kubeletConfigDropIns}
cat >${resolvConfDropIn}.new <<END
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
resolvConf: $file
END
mv ${resolvConfDropIn}.new ${resolvConfDropIn}
`;
