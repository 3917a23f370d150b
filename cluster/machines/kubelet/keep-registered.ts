import { type Config, config, file, unit } from "../../../ignition";
import type { BootingMachine } from "../../keys/credentials";
import { desiredNodesName, poolKey } from "../../manifests/nodes/desired-nodes";
import type { Cluster } from "../../model";
import { clusterApiServer, localApiServer } from "../../network/ports";
import { launcher, paths } from "../../paths";
import { flannelSubnet } from "../pod-bridge";
import { nodeNameScript } from "./node-name";

/**
 * Seconds between requests; consecutive requests without a Node that prove its deletion; and requests after which its
 * pods are no longer waited for.
 */
const proof = { every: 10, missing: 3, patience: 18 } as const;

/** Seconds between restarts: the first pause, which doubles after each unsuccessful restart, and the maximum. */
const pause = { first: 300, most: 3600 } as const;

const program = `${paths.bin}/keep-registered`;

/** Exists once the API has had a Node for this machine. */
export const registeredFile = "/var/lib/tradewind/registered";

const script = `#!/bin/sh
# keep-registered POOL NODE API...: restarts the kubelet if its Node was deleted by mistake: it only registers when it starts.
# The API must report this several times in a row. A Node that the stack removed is not registered again.
set -u
pool=$1 node=$2
shift 2
answer=/run/keep-registered.json
# ask PATH: the HTTP status from the first API that answers, else 000
ask() {
    ca=${paths.kubeletAuthorities}
    [ -e "$ca" ] || ca=${paths.ca}
    for api in "$@"; do
        [ "$api" != "$1" ] || continue
        : >$answer
        code=$(curl -s --max-time 5 --cacert "$ca" --cert ${paths.kubeletClient} -o $answer -w '%{http_code}' "$api$1")
        [ "$code" = 000 ] || break
    done
    echo "$code"
}
has() { tr -d ' \\n' <$answer | grep -qF "$1"; }
is_in_stack() {
    [ "$(ask /api/v1/namespaces/kube-system/configmaps/${desiredNodesName} "$@")" = 200 ] &&
        { has "\\"$node\\":" || has "\\"${poolKey("$pool")}\\":"; }
}
has_pods() { [ "$(ask "/api/v1/pods?limit=1&fieldSelector=spec.nodeName%3D$node" "$@")" != 200 ] || ! has '"items":[]'; }
uptime() { cut -d . -f 1 /proc/uptime; }
missing=0 pause=${pause.first} next=0
while sleep ${proof.every}; do
    [ -e ${paths.kubeletClient} ] || continue
    [ -n "$node" ] || node=$(${nodeNameScript}) || continue
    code=$(ask "/api/v1/nodes/$node" "$@")
    if [ "$code" = 200 ]; then
        [ -e ${registeredFile} ] || : >${registeredFile}
        missing=0 pause=${pause.first}
        continue
    fi
    # A kubelet that never registered is still trying. Any other answer proves nothing.
    if [ "$code" != 404 ] || ! has '"reason":"NotFound"' || [ ! -e ${registeredFile} ] || ! is_in_stack "$@"; then
        missing=0
        continue
    fi
    missing=$((missing + 1))
    if [ "$missing" -lt ${proof.missing} ] || [ "$(uptime)" -lt "$next" ]; then continue; fi
    # The new Node gets another pod CIDR: wait until Kubernetes has deleted the pods with old addresses.
    if has_pods "$@"; then
        [ "$missing" -ge ${proof.patience} ] || continue
    else
        # Flannel writes the new block before any pod gets an address.
        rm -f ${flannelSubnet}
    fi
    echo "tradewind: the Node $node is missing, and the stack has not removed it: restarting the kubelet to register it"
    systemctl reset-failed kubelet.service
    systemctl restart kubelet.service
    next=$(($(uptime) + pause)) pause=$((pause * 2)) missing=0
    [ "$pause" -le ${pause.most} ] || pause=${pause.most}
done
`;

export interface KeptNode {
    readonly machine: Pick<BootingMachine, "name">;
    readonly pool: string;
}

/** Re-registers a machine whose Node was deleted, without intervention. */
export function keepRegistered(cluster: Cluster, { machine, pool }: KeptNode): Config {
    // A controller has its own apiserver, and some load balancers do not route a controller's requests back to itself.
    const apis = [...(pool === "controller" ? [localApiServer] : []), clusterApiServer(cluster)];
    return config({
        files: [file(program, script, { mode: 0o755 })],
        units: [
            unit("keep-registered.service", {
                enabled: true,
                contents: `[Unit]
Description=Restart the kubelet when its Node was deleted by mistake
After=kubelet.service

[Service]
StandardOutput=journal+console
SyslogLevel=notice
ExecStart=${launcher} ${program} ${pool} "${machine.name ?? ""}" ${apis.join(" ")}
Restart=always
RestartSec=10

[Install]
WantedBy=multi-user.target
`,
            }),
        ],
    });
}
