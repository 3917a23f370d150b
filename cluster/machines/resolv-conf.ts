import { type Config, config, file } from "../../ignition";
import { paths } from "../paths";

/** The servers that systemd-resolved itself asks. */
const upstream = "/run/systemd/resolve/resolv.conf";

/** Sorts before drop-ins of the host's owner, which win. */
const dropIn = `${paths.kubeletConfigDropIns}/10-resolv-conf.conf`;

/** Run before each start of the kubelet: another release of the OS may have systemd-resolved, or have it no more. */
export const resolvConfScript = `${paths.bin}/resolv-conf`;

/**
 * Tells the kubelet which `resolv.conf` pods get that ask as their node does (`dnsPolicy: Default`), CoreDNS among them.
 *
 * Where /etc/resolv.conf names systemd-resolved's stub on a loopback address, as on Ubuntu and Fedora CoreOS, CoreDNS would
 * ask itself, and its loop plugin would end it: kubernetes/kubeadm#1162, coredns/coredns#2087.
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
