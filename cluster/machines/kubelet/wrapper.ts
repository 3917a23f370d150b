import { renderKubeletEnv } from "../../../agents/nodes/node-agent/kubelet/kubelets";
import {
    flagsFile,
    type KubeletSettings,
    rememberedFlags,
    settingsFiles,
} from "../../../agents/nodes/node-agent/kubelet/settings";
import { type Config, config, file, merge } from "../../../ignition";
import type { Download } from "../../downloads";
import { paths } from "../../paths";
import { fetchScript, fetchTool } from "../system";
import { nodeNameScript } from "./node-name";

/** The flags of the last start that its state files depend on. */
const rememberedFile = `${paths.kubelets}/remembered-flags`;

const resourceState = ["cpu", "memory"].map((resource) => `/var/lib/kubelet/${resource}_manager_state`);

/** How long an address may take to appear after the network is reported up. */
const addressSeconds = 20;

/** Of two addresses, the second one (IPv6) is not changed. */
const secondAddress = `        rest=\${address#"\${address%%,*}"}
        address=\${address%%,*}
`;

/** An IPv6 address that is known, or to be found in a block, as on a cloud. */
export type SecondAddress = "fixed" | "found";

const familyOf = `family_of() { case "$1" in *:*) echo inet6 ;; *) echo inet ;; esac; }
`;

/** The address of the default route may be a public one, and a second interface may be later than any time limit. */
const refuse = `            echo "<3>kubelet-wrapper: not starting the kubelet: this machine must have an address in $address (got $(addresses))" >&2
            exit 1`;

const addresses = (families: string) =>
    `addresses() { ip -oneline ${families}address show scope global | awk '{ printf "%s%s", (NR > 1 ? ", " : ""), $4 } END { if (!NR) printf "none" }'; }
`;

const addressIn = (family: string) =>
    `address_in() { ip -oneline -family ${family} address show to "$1" | awk '{ sub("/.*", "", $4); print $4; exit }'; }
`;

/** Waits for the address in a block, and sets `$found` to it. */
const find = `        tries=0
        while found=$(address_in "$address"); [ -z "$found" ] && [ "$tries" -lt ${addressSeconds} ]; do
            tries=$((tries + 1))
            sleep 1
        done
`;

/** The flag for an address, or a block with one, and on a local machine its second address. */
const findFirst = (isDualStack: boolean) => `${isDualStack ? secondAddress : ""}\
${find}\
        if [ -z "$found" ]; then
${refuse}
        fi
        flag=--node-ip=$found${isDualStack ? "$rest" : ""}
`;

/** The flag for a block of each family. */
const findBoth = `        found_all=
        for address in $(echo "$address" | tr , ' '); do
${indented(find)}\
            if [ -z "$found" ]; then
${indented(refuse)}
            fi
            found_all=$found_all,$found
        done
        flag=--node-ip=\${found_all#,}
`;

function indented(shell: string): string {
    return shell.replaceAll(/^(?=.)/gm, "    ");
}

/** A cloud names the machine: the flag for the name that its node keeps. */
const named = `node=$(${nodeNameScript})
set -- "$@" "--hostname-override=$node"
`;

const script = (kubeconfig: string, second: SecondAddress | undefined, isNamed: boolean) => `#!/bin/sh
# Runs the kubelet that ${paths.kubeletVersion} names, with the settings it names, after downloading it if necessary.
# Older ones stay, so that going back needs no network.
set -eu
# Read once: it may change meanwhile.
cp ${paths.kubeletVersion} ${paths.kubeletRunning}.new
. ${paths.kubeletRunning}.new
while read -r flag; do
    set -- "$@" "$flag"
done <"${paths.kubelets}/${flagsFile("$KUBELET_SETTINGS")}"
# The machine's address in a CIDR; for an address, the address itself.
${second === "found" ? `${familyOf}${addressIn('"$(family_of "$1")"')}` : addressIn("inet")}\
${addresses(second === "found" ? "" : "-family inet ")}\
# A kubelet never becomes Ready with an address that its machine lacks. It may be late. Never
# the one of the default route instead, which may be public: systemd starts this again.
for flag in "$@"; do
    shift
    address=\${flag#--node-ip=}
    if [ "$address" != "$flag" ]; then
${second === "found" ? findBoth : findFirst(second === "fixed")}\
    fi
    set -- "$@" "$flag"
done
${isNamed ? "" : named}\
# A kubelet killed while it writes its serving certificate leaves one of two files, or an empty one, and would not start again.
for file in kubelet.crt kubelet.key; do
    grep -qs 'END ' "${paths.kubeletPki}/$file" || rm -f ${paths.kubeletPki}/kubelet.crt ${paths.kubeletPki}/kubelet.key
done
kubelet=${paths.kubelets}/$KUBELET_VERSION/kubelet
# shellcheck disable=SC2086 # a list of URLs
${fetchScript} "$kubelet" "$KUBELET_SHA256" $KUBELET_URLS
chmod 0755 "$kubelet"
[ -e ${kubeconfig} ] || ${awaitApiserverScript} "$KUBELET_VERSION"
# With other values of these, the kubelet does not start until its state files about pods' CPUs and memory are removed.
grep -E '^--(${rememberedFlags.join("|")})=' "${paths.kubelets}/${flagsFile("$KUBELET_SETTINGS")}" >${rememberedFile}.new || :
cmp -s ${rememberedFile}.new ${rememberedFile} || rm -f ${resourceState.join(" ")}
mv ${rememberedFile}.new ${rememberedFile}
mv ${paths.kubeletRunning}.new ${paths.kubeletRunning}
exec "$kubelet" "$@"
`;

/**
 * Launcher of the kubelet, and the initial files that select its version and settings; the node-agent changes them
 * later.
 *
 * @param kubeconfig - path of the kubeconfig of a kubelet that has joined
 * @param second - the node's IPv6 address; a machine must have one that is to be found. @default - none
 * @param isNamed - by the unit. @default true
 */
export function kubeletWrapper(
    version: string,
    download: Download,
    settings: KubeletSettings,
    kubeconfig: string = paths.kubeconfig,
    { second, isNamed = true }: { readonly second?: SecondAddress; readonly isNamed?: boolean } = {},
): Config {
    const env = renderKubeletEnv({ version, ...download, settings: settings.id });
    const own = config({
        files: [
            file(`${paths.bin}/kubelet-wrapper`, script(kubeconfig, second, isNamed), { mode: 0o755 }),
            file(paths.kubeletVersion, env, { mode: 0o644 }),
            ...Object.entries(settingsFiles(paths.kubelets, settings)).map(([path, text]) =>
                file(`${paths.kubelets}/${path}`, text, { mode: 0o600 }),
            ),
        ],
    });
    return merge(fetchTool(), awaitApiserver(), own);
}

export const awaitApiserverScript = `${paths.bin}/await-apiserver`;

const awaitScript = `#!/bin/sh
# await-apiserver VERSION: waits while kube-apiserver has an older minor version than the kubelet, which Kubernetes does not
# support. That happens if machines are created before the control plane is upgraded.
# If the version is unknown, do not wait: the kubelet fails by itself if it may not join.
set -eu
field() { sed -n "s/.*\\"$1\\": *\\"\\([^\\"]*\\)\\".*/\\1/p" ${paths.bootstrapKubeconfig}; }
mine=$(echo "$1" | sed 's/^\\([0-9]*\\)\\.\\([0-9]*\\)\\..*/\\1 \\2/')
while :; do
    # On standard input, so that no other process sees the token.
    answer=$(echo "header = \\"Authorization: Bearer $(field token)\\"" |
        curl -fsS --config - --cacert ${paths.ca} --max-time 3 "$(field server)/version" || true)
    theirs=$(echo "$answer" | sed -n 's/.*"gitVersion": *"v\\([0-9]*\\)\\.\\([0-9]*\\)\\..*/\\1 \\2/p')
    [ -n "$theirs" ] || exit 0
    # shellcheck disable=SC2086 # two numbers each
    set -- $mine $theirs
    if [ "$1" -lt "$3" ] || { [ "$1" -eq "$3" ] && [ "$2" -le "$4" ]; }; then exit 0; fi
    echo "await-apiserver: kubelet $1.$2 waits for kube-apiserver, which is still at $3.$4"
    sleep 5
done
`;

/** Keeps a kubelet that has not joined yet from being newer than its apiserver. */
export function awaitApiserver(): Config {
    return config({ files: [file(awaitApiserverScript, awaitScript, { mode: 0o755 })] });
}
