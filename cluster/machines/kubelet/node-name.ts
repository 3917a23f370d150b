import { type Config, config, file } from "../../../ignition";
import { paths } from "../../paths";

/** Prints the name of a machine's node, for machines that their cloud names. */
export const nodeNameScript = `${paths.bin}/node-name`;

const script = `#!/bin/sh
# node-name: prints the name of this machine's node, which never changes. An OS update may change the host name: with or
# without the domain.
set -eu
if [ ! -s ${paths.nodeName} ]; then
    node=
    # A joined kubelet has a certificate for one name; the API refuses any other.
    if [ -s ${paths.kubeletClient} ]; then
        # In the certificate, a byte with the length of a name precedes it.
        subject=$(sed -n '/END CERT/q; /-----/!p' ${paths.kubeletClient} | base64 -d | LC_ALL=C grep -aoE '.system:node:[a-z0-9.-]+' | head -n 1)
        [ -z "$subject" ] || node=$(printf %s "$subject" | cut -c "14-$(($(printf %d "'$subject") + 1))")
    fi
    if [ -z "$node" ]; then
        # Clouds set it by DHCP, possibly after the network has its first address.
        until node=$(uname -n | tr '[:upper:]' '[:lower:]') && [ "$node" != localhost ]; do sleep 1; done
        echo "$node"
        exit 0
    fi
    mkdir -p "$(dirname ${paths.nodeName})"
    echo "$node" >${paths.nodeName}.$$
    sync ${paths.nodeName}.$$
    mv ${paths.nodeName}.$$ ${paths.nodeName}
fi
cat ${paths.nodeName}
`;

/**
 * Keeps the name of a node that its cloud named. The name is the host name until the kubelet has joined, and from then on
 * that in its certificate, whatever the OS calls the machine.
 */
export function nodeName(): Config {
    return config({ files: [file(nodeNameScript, script, { mode: 0o755 })] });
}
