import { flagsFile } from "../../../agents/nodes/node-agent/kubelet/settings";
import { kubeletPodApp, podEnvFile } from "../../../agents/nodes/node-agent/layout";
import { type Manifest, priorities } from "../../manifest";
import type { Cluster } from "../../model";
import { paths } from "../../paths";
import { daemonSet, immutableConfigMap } from "../objects";
import { everywhere, fromConfigMap, lastWords, type PodSpec } from "../pod";

/** PID file of the pod's kubelet. */
const pidFile = "/run/kubelet-pod.pid";

/** Number of recent starts, and uptime at the last one: a kubelet does not remember restarts counted by another one. */
const startsFile = "/run/kubelet-pod.starts";

/** Hard link to the file that selected the pod's kubelet when it started. */
const ownEnv = `${paths.kubelets}/${podEnvFile}`;

const dropIn = "/run/systemd/system/kubelet.service.d/pod.conf";

/** Seconds without a restart after which earlier ones are forgotten, and the longest pause between two starts. */
const [calm, longestPause] = [600, 300];

/** The kubelet in its image, and the node's root until its folders are in place. */
const [program, nodeRoot] = ["/usr/local/bin/kubelet", "/.node"];

/** Exists, in the container only, while the node runs a kubelet of another version than the image has. */
const standby = "/standby";

/**
 * Starts the kubelet of its pod's image, with the flags and the environment of the host's, except that it does not exit when
 * another process waits for the lock.
 *
 * It stands by while the node runs another version: before the DaemonSet has its image, and on nodes that keep a version.
 * It exits once another kubelet has been selected (agents/nodes/node-agent) and waits for the lock. The host's kubelet then
 * takes over, and this pod's follows again.
 */
export const startScript = `set -eu
say() { echo "kubelet's pod: $*"; }
# Programs are the image's, all other files the node's: volumes mounted here exist there too, for any container and for
# whichever kubelet is next.
mount --make-private /
for each in ${nodeRoot}/*; do
    place=\${each#${nodeRoot}}
    case $place in /bin | /lib* | /proc | /sbin | /usr) continue ;; esac
    [ -d "$each" ] || continue
    mkdir -p "$place"
    mount --rbind "$each" "$place"
done
# /etc/os-release leads to it.
if [ -e ${nodeRoot}/usr/lib/os-release ]; then
    : >>/usr/lib/os-release
    mount --bind ${nodeRoot}/usr/lib/os-release /usr/lib/os-release
fi
# Not unmounted on the node as well, as it would be among peers.
mount --make-rslave ${nodeRoot}
umount --lazy ${nodeRoot}
rm -f ${ownEnv}
read -r uptime _ </proc/uptime
now=\${uptime%%.*} starts=0 last=0
if [ -e ${startsFile} ]; then read -r starts last <${startsFile} || starts=0 last=0; fi
if [ $((now - last)) -gt ${calm} ]; then starts=0; fi
pause=0
if [ "$starts" -ge 3 ]; then pause=$((starts < 8 ? 10 << (starts - 3) : ${longestPause})); fi
echo "$((starts + 1)) $((now + pause))" >${startsFile}
if [ "$pause" -gt 0 ]; then
    say "started $starts times recently; leaving the node to the host's kubelet for $pause s"
    sleep "$pause"
fi
systemctl() { chroot /proc/1/root systemctl "$@"; }
# While it waits for the lock, a kubelet ignores SIGTERM.
if [ ! -e ${dropIn} ]; then
    mkdir -p ${dropIn.replace(/\/[^/]+$/, "")}
    printf '[Service]\\nTimeoutStopSec=3\\n' >${dropIn}
    systemctl daemon-reload
fi
version=$(${program} --version) version=\${version#Kubernetes v}
sum=$(sha256sum <${program}) sum=\${sum%% *}
is_ours() {
    . "$1"
    if [ "$KUBELET_VERSION" = "$version" ]; then
        rm -f ${standby}
        [ "$KUBELET_SHA256" != "$sum" ] || return 0
        say "the kubelet $version in this image must have the SHA-256 $KUBELET_SHA256, like the host's (got $sum)"
        exit 1
    fi
    rm -f ${ownEnv}
    [ -e ${standby} ] || say "waiting: the node runs kubelet $KUBELET_VERSION, and this image has $version"
    : >${standby}
    return 1
}
# Read before the check: an older value only repeats the loop, a newer one would skip a change.
note() {
    rm -f ${ownEnv}
    ln ${paths.kubeletVersion} ${ownEnv}
}
# The host's kubelet must be the selected one, so that it exits for this one; without a lock both would run.
is_host_ready() {
    cmp -s ${paths.kubeletVersion} ${paths.kubeletRunning} || return 1
    pid=$(systemctl show --property MainPID --value kubelet.service)
    case $(readlink "/proc/$pid/exe") in */kubelet) ;; *) return 1 ;; esac
    grep -qz '^--exit-on-lock-contention' "/proc/$pid/cmdline"
}
is_waiting=
until is_ours ${paths.kubeletVersion} && note && is_ours ${ownEnv} && is_host_ready; do
    if [ ! -e ${standby} ] && [ -z "$is_waiting" ]; then
        say "waiting until the host's kubelet is the selected one and holds the lock"
        is_waiting=yes
    fi
    sleep 1
done
while IFS= read -r each; do
    case $each in
        '' | PATH=* | --exit-on-lock-contention*) ;;
        /*) set -- "$@" ${program} ;;
        *) set -- "$@" "$each" ;;
    esac
done <<END
$(tr '\\0' '\\n' <"/proc/$pid/environ" | grep '^[A-Za-z_][A-Za-z0-9_]*=')
$(tr '\\0' '\\n' <"/proc/$pid/cmdline")
END
# A kubelet without a lock file would not wait.
is_host_next() {
    . ${paths.kubeletVersion}
    grep -q '^--exit-on-lock-contention' "${paths.kubelets}/${flagsFile("$KUBELET_SETTINGS")}" || return 0
    is_host_ready && grep -q -e "-> FLOCK .* $pid " /proc/locks
}
(
    # A selection replaces the file by rename.
    while [ ${paths.kubeletVersion} -ef ${ownEnv} ]; do sleep 1; done
    say "another kubelet was selected"
    until is_host_next; do sleep 1; done
    say "stopping for it"
    rm -f ${startsFile} ${ownEnv}
    kill $$
    sleep 5
    kill -9 $$
) &
echo $$ >${pidFile}
say "taking over from process $pid"
exec env -i "PATH=$PATH" "$@"
`;

/** Succeeds when the pod's kubelet holds the lock, or is not to run. */
const holdsLock = [
    "/bin/sh",
    "-c",
    `[ -e ${standby} ] || { read -r pid <${pidFile} && grep -q ": FLOCK .* $pid " /proc/locks; }`,
];

const name = kubeletPodApp;
const startPath = "/opt/tradewind/kubelet-pod";

/** The kubelet of every node as a pod, which the host's kubelet starts and yields to: docs/levels.md. */
export function selfHostedKubelet(cluster: Cluster): Manifest[] {
    const config = immutableConfigMap(name, { start: startScript });
    // Two pods on a node would take turns taking the lock from the host's kubelet.
    return [config, daemonSet(name, podSpec(cluster, config.metadata.name))];
}

function podSpec({ images }: Cluster, config: string): PodSpec {
    const start = fromConfigMap("start", config, startPath);
    return {
        hostNetwork: true,
        hostPID: true,
        dnsPolicy: "Default",
        priorityClassName: priorities.node.name,
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        tolerations: everywhere,
        terminationGracePeriodSeconds: 10,
        containers: [
            {
                name,
                image: images.kubelet,
                ...lastWords,
                // The node's /dev, which replaces the container's, would get a file for it.
                terminationMessagePath: "/termination-log",
                command: ["/bin/sh", `${startPath}/start`],
                resources: { requests: { cpu: "50m", memory: "64Mi" } },
                // It is root on its node, like any kubelet.
                securityContext: { privileged: true, runAsUser: 0 },
                // Once it holds the lock, it keeps it. If it does not get it within ten minutes, it opens it again.
                startupProbe: {
                    exec: { command: holdsLock },
                    periodSeconds: 1,
                    failureThreshold: 600,
                },
                // When the machine shuts down, it stops pods of its priority before itself.
                lifecycle: { preStop: { sleep: { seconds: 3 } } },
                volumeMounts: [start.mount, { name: "node", mountPath: nodeRoot, mountPropagation: "Bidirectional" }],
            },
        ],
        volumes: [start.volume, { name: "node", hostPath: { path: "/", type: "Directory" } }],
    };
}
