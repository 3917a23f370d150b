import { renderKubeletEnv } from "../../agents/node-agent/kubelet-env";
import { flagsFile, type KubeletSettings, settingsFiles } from "../../agents/node-agent/settings";
import { type Config, config, file, merge } from "../../ignition";
import { awaitApiserver, awaitApiserverScript } from "./await-apiserver";
import type { Download } from "./downloads";
import { fetchScript, fetchTool } from "./fetch";
import { paths } from "./paths";

/** How long an address may take to appear after the network is said to be there. */
const addressSeconds = 20;

/** Of two addresses the second, by IPv6, stays as it is. */
const secondAddress = `        rest=\${address#"\${address%%,*}"}
        address=\${address%%,*}
`;

const script = (kubeconfig: string, isDualStack: boolean) => `#!/bin/sh
# Runs the kubelet that ${paths.kubeletVersion} names, with the settings that it names, fetching it first if it is not here.
# Earlier ones stay, so that going back needs no network.
set -eu
# Read once: it may be changed meanwhile.
cp ${paths.kubeletVersion} ${paths.kubeletRunning}.new
. ${paths.kubeletRunning}.new
while read -r flag; do
    set -- "$@" "$flag"
done <"${paths.kubelets}/${flagsFile("$KUBELET_SETTINGS")}"
# The machine's address in a block; of an address, itself.
address_in() { ip -oneline -family inet address show to "$1" | awk '{ sub("/.*", "", $4); print $4; exit }'; }
# With an address that its machine does not have, a kubelet is never Ready. It may be late; else it was changed, and
# the kubelet takes the one of the default route.
for flag in "$@"; do
    shift
    address=\${flag#--node-ip=}
    if [ "$address" != "$flag" ]; then
${isDualStack ? secondAddress : ""}\
        tries=0
        while found=$(address_in "$address"); [ -z "$found" ] && [ "$tries" -lt ${addressSeconds} ]; do
            tries=$((tries + 1))
            sleep 1
        done
        if [ -z "$found" ]; then
            echo "kubelet-wrapper: this machine has no address $address any more: --node-ip is left out"
            continue
        fi
        flag=--node-ip=$found${isDualStack ? "$rest" : ""}
    fi
    set -- "$@" "$flag"
done
# A kubelet that ends while it makes its server's certificate leaves one file of the two, or an empty one, with which none starts.
for file in kubelet.crt kubelet.key; do
    grep -qs 'END ' "${paths.kubeletPki}/$file" || rm -f ${paths.kubeletPki}/kubelet.crt ${paths.kubeletPki}/kubelet.key
done
kubelet=${paths.kubelets}/$KUBELET_VERSION/kubelet
# shellcheck disable=SC2086 # a list of URLs
${fetchScript} "$kubelet" "$KUBELET_SHA256" $KUBELET_URLS
chmod 0755 "$kubelet"
[ -e ${kubeconfig} ] || ${awaitApiserverScript} "$KUBELET_VERSION"
mv ${paths.kubeletRunning}.new ${paths.kubeletRunning}
exec "$kubelet" "$@"
`;

/**
 * The launcher of the kubelet, and what says which one it launches and how: at first, for the node-agent changes it.
 *
 * @param kubeconfig - where a kubelet has one that joined
 * @param isDualStack - whether the machine has an IPv6 address, too, by which it is a node
 */
export function kubeletWrapper(
    version: string,
    download: Download,
    settings: KubeletSettings,
    kubeconfig: string = paths.kubeconfig,
    isDualStack = false,
): Config {
    const env = renderKubeletEnv({ version, ...download, settings: settings.id });
    const own = config({
        files: [
            file(`${paths.bin}/kubelet-wrapper`, script(kubeconfig, isDualStack), { mode: 0o755 }),
            file(paths.kubeletVersion, env, { mode: 0o644 }),
            ...Object.entries(settingsFiles(paths.kubelets, settings)).map(([path, text]) =>
                file(`${paths.kubelets}/${path}`, text, { mode: 0o644 }),
            ),
        ],
    });
    return merge(fetchTool(), awaitApiserver(), own);
}
