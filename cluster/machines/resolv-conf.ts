import { type Config, config, file } from "../../ignition";
import { paths } from "../paths";

/** The upstream servers of systemd-resolved. */
const upstream = "/run/systemd/resolve/resolv.conf";

/** Sorts before the user's own drop-ins, which override it. */
const dropIn = `${paths.kubeletConfigDropIns}/10-resolv-conf.conf`;

/** Runs before each start of the kubelet, because an OS upgrade may add or remove systemd-resolved. */
export const resolvConfScript = `${paths.bin}/resolv-conf`;

/**
 * Sets the `resolv.conf` of pods that use their node's DNS (`dnsPolicy: Default`), such as CoreDNS.
 *
 * Where /etc/resolv.conf points to systemd-resolved's stub on a loopback address, as on Ubuntu and Fedora CoreOS,
 * CoreDNS would query itself and its loop plugin would stop it: kubernetes/kubeadm#1162, coredns/coredns#2087.
 */
export function resolvConf(): Config {
    return config({ files: [file(resolvConfScript, script, { mode: 0o755 })] });
}

const script = `#!/bin/sh
# Names the servers behind a resolver on this machine's loopback address, which no pod could reach, in the kubelet's configuration.
set -eu
loopback='^[[:space:]]*nameserver[[:space:]]+(127\\.|::1([[:space:]]|$))'
if [ -e ${upstream} ] && { [ ! -s /etc/resolv.conf ] || grep -qE "$loopback" /etc/resolv.conf; }; then
    mkdir -p ${paths.kubeletConfigDropIns}
    cat >${dropIn}.new <<END
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
resolvConf: ${upstream}
END
    mv ${dropIn}.new ${dropIn}
else
    rm -f ${dropIn}
fi
`;
