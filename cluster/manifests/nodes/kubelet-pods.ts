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

/**
 * Starts a node's kubelet in its pod, in the host's file system: the same as the host's kubelet, with its flags and
 * environment, except that it does not exit when another process waits for the lock.
 *
 * It exits once another kubelet has been selected (agents/nodes/node-agent) and waits for the lock. The host's kubelet then
 * takes over, and this pod's follows again.
 */
export const startScript = `set -eu
rm -f ${ownEnv}
say() { echo "kubelet's pod: $*"; }
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
# While it waits for the lock, a kubelet ignores SIGTERM.
if [ ! -e ${dropIn} ]; then
    mkdir -p ${dropIn.replace(/\/[^/]+$/, "")}
    printf '[Service]\\nTimeoutStopSec=3\\n' >${dropIn}
    systemctl daemon-reload
fi
# The host's kubelet must be the selected one, so that it exits for this one; without a lock both would run.
is_host_ready() {
    cmp -s ${paths.kubeletVersion} ${paths.kubeletRunning} || return 1
    pid=$(systemctl show --property MainPID --value kubelet.service)
    case $(readlink "/proc/$pid/exe") in */kubelet) ;; *) return 1 ;; esac
    grep -qz '^--exit-on-lock-contention' "/proc/$pid/cmdline"
}
# Read before the check: an older value only repeats the loop, a newer one would skip a change.
note() {
    rm -f ${ownEnv}
    ln ${paths.kubeletVersion} ${ownEnv}
}
note
if ! is_host_ready; then say "waiting until the host's kubelet is the selected one and holds the lock"; fi
until is_host_ready; do
    sleep 1
    if ! [ ${paths.kubeletVersion} -ef ${ownEnv} ]; then note; fi
done
while IFS= read -r each; do
    case $each in '' | --exit-on-lock-contention*) ;; *) set -- "$@" "$each" ;; esac
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
exec env -i "$@"
`;

/**
 * Succeeds when the pod's kubelet holds the lock.
 *
 * A command executed in a container uses the file system of its first process: initially the image's, then the host's.
 */
const holdsLock = ["/bin/sh", "-c", `read -r pid </proc/1/root${pidFile} && grep -q ": FLOCK .* $pid " /proc/locks`];

const name = kubeletPodApp;
const programPath = "/opt/tradewind/kubelet-pod";

/** The kubelet of every node as a pod, which the host's kubelet starts and yields to: docs/levels.md. */
export function selfHostedKubelet(cluster: Cluster): Manifest[] {
    const config = immutableConfigMap(name, { start: startScript });
    // Two pods on a node would take turns taking the lock from the host's kubelet.
    return [config, daemonSet(name, podSpec(cluster, config.metadata.name))];
}

function podSpec({ images }: Cluster, config: string): PodSpec {
    const program = fromConfigMap("program", config, programPath);
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
                image: images.node,
                ...lastWords,
                // In the host's file system: volumes that it mounts belong to all pods, whichever kubelet is next.
                command: [
                    "/bin/sh",
                    "-c",
                    `exec nsenter -t 1 -m -u -- /bin/sh -c "$(cat ${programPath}/start)" kubelet`,
                ],
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
                volumeMounts: [program.mount],
            },
        ],
        volumes: [program.volume],
    };
}
