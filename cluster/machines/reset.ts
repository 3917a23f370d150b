import { type Config, config, file, merge, unit } from "../../ignition";
import { launcher, paths } from "../paths";
import { keptFiles } from "./kept-files";
import { kubeletIdentity } from "./kubelet/cloud-identity";
import { registeredFile } from "./kubelet/keep-registered";
import { resolvConfDropIn } from "./resolv-conf";

/** Program that makes a machine leave its cluster: also for a person to run, where the cluster cannot reach it. */
export const resetProgram = `${paths.bin}/reset-machine`;

/** A file in this directory makes the machine reset itself; only root can write to it. */
export const resetRequests = "/var/lib/tradewind/reset";

/** On a Node: its machine has reset itself. */
export const resetAnnotation = "tradewind.dev/reset";

/** Lists the files and units of the config that made this machine a node. */
const listFile = "/opt/tradewind/reset.list";

/**
 * Files and directories with nothing but state of a worker. Volumes of the default storage class stay: they are data. So do
 * the kubelet's settings that belong to the host.
 */
const state = [
    paths.staticPods,
    paths.pki,
    kubeletIdentity,
    resolvConfDropIn,
    "/etc/cni/net.d",
    "/opt/cni",
    "/opt/tradewind",
    "/run/flannel",
    "/var/lib/cni",
    "/var/lib/kubelet",
    keptFiles,
    paths.nodeAgentState,
    paths.nodeName,
    registeredFile,
    resetRequests,
    "/var/log/containers",
    "/var/log/pods",
];

/** Links of CNI plugins, kube-proxy and `node-routes`. */
const links = ["cni0", "flannel.1", "flannel-v6.1", "kube-ipvs0", "services"];

const script = `#!/bin/sh
# reset-machine NODE API: makes this machine leave its cluster. It stops the kubelet and all containers, and removes
# certificates, state and everything that made this machine a node. Images and volumes in ${paths.localVolumes} stay.
set -u
node=$1 api=$2 identity=/run/reset-machine
say() { echo "tradewind: reset: $*"; }
umask 077
mkdir -p $identity
[ ! -s ${listFile} ] || cp ${listFile} $identity/list
# An interrupted run has its copy.
if [ ! -s $identity/list ]; then
    say "nothing is changed: ${listFile} is missing, which lists what must be removed"
    rm -f ${resetRequests}/*
    exit 1
fi
cp ${paths.kubeletClient} $identity/client.pem 2>/dev/null
cp ${paths.kubeletAuthorities} $identity/ca.crt 2>/dev/null || cp ${paths.ca} $identity/ca.crt
listed() { sed -n "s/^$1 //p" $identity/list; }
say "stopping the kubelet and all containers"
# Not this one's own.
units=$(listed unit | grep -vx 'reset-machine.service\\|containerd.service\\|container-runtime.service')
# shellcheck disable=SC2086 # names
systemctl disable --now $units 2>/dev/null
pkill -KILL -x kubelet
ctr="/usr/bin/ctr --namespace k8s.io"
{
    $ctr tasks list --quiet | xargs -r -n 1 -P 8 $ctr tasks delete --force
    $ctr containers list --quiet | xargs -r $ctr containers delete
    $ctr sandboxes list | awk 'NR > 1 { print $1 }' | xargs -r -n 1 $ctr sandboxes remove --force
} >/dev/null 2>&1
# It has read files that are removed now, and ends if a directory that it watches is.
systemctl stop containerd.service
pkill -KILL -f -- '-namespace k8s[.]io '
say "removing networks, certificates and state"
for netns in /run/netns/cni-*; do [ ! -e "$netns" ] || ip netns delete "\${netns##*/}"; done
for link in ${links.join(" ")}; do ip link delete "$link" 2>/dev/null; done
awk '$2 ~ "^/var/lib/kubelet/" { print $2 }' /proc/mounts | sort -r | while read -r mount; do umount --lazy "$mount"; done
# Those in one file system with it would be deleted, too.
if grep ' /var/lib/kubelet/' /proc/mounts; then
    say "stopped: these volumes of pods are still mounted; unmount them, and start this again"
    exit 1
fi
listed file | while read -r file; do rm -f "$file"; done
# Some may be mounted, and nothing in other file systems is ours.
find ${state.join(" ")} -xdev -depth -delete 2>/dev/null
systemctl daemon-reload
# Unless the cluster has installed it.
systemctl start --no-block containerd.service 2>/dev/null
for try in 1 2 3 4 5; do
    curl -fsS --max-time 10 --cacert $identity/ca.crt --cert $identity/client.pem -X PATCH \\
        -H 'Content-Type: application/merge-patch+json' -o /dev/null \\
        -d '{"metadata":{"annotations":{"${resetAnnotation}":"done"}}}' "$api/api/v1/nodes/$node" && break
    say "the cluster did not hear of it (attempt $try of 5)"
    sleep 2
done
rm -rf $identity
say "this machine is no node any more; a restart removes what its kernel still has of packet filters and routes"
`;

/** Makes the machine of this config able to leave its cluster without a trace. @param node - its name */
export function resettable(own: Config, node: string, api: string): Config {
    const run = `${launcher} ${resetProgram} ${node} ${api}`;
    const tool = config({
        files: [file(resetProgram, script, { mode: 0o755 })],
        units: [
            unit("reset-machine.path", {
                enabled: true,
                contents: `[Unit]
Description=Watch for a request to leave the cluster

[Path]
DirectoryNotEmpty=${resetRequests}

[Install]
WantedBy=multi-user.target
`,
            }),
            unit("reset-machine.service", {
                contents: `[Unit]
Description=Leave the cluster

[Service]
Type=oneshot
TimeoutStartSec=15min
StandardOutput=journal+console
ExecStart=${run}
`,
            }),
        ],
    });
    const all = merge(own, tool);
    return merge(all, config({ files: [file(listFile, listOf(all), { mode: 0o600 })] }));
}

function listOf({ storage: { files = [], links = [] } = {}, systemd: { units = [] } = {} }: Config): string {
    const written = [...files, ...links].map(({ path }) => path).filter((path) => path !== "/etc/hostname");
    const ofUnits = units.flatMap(({ name, contents, mask, dropins = [] }) => [
        ...(contents || mask ? [name] : []),
        ...dropins.map((dropin) => `${name}.d/${dropin.name}`),
    ]);
    const stopped = units.filter(({ contents, mask }) => contents && !mask).map(({ name }) => name);
    return [
        ...stopped.map((name) => `unit ${name}`),
        ...[...written, ...ofUnits.map((path) => `/etc/systemd/system/${path}`)].map((path) => `file ${path}`),
        "",
    ].join("\n");
}
