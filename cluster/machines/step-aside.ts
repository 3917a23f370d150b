import { copyFileName } from "../../agents/checkpointer/plan";
import { takenOver } from "../../agents/nodes/promoter/plan";
import { leavingAnnotation } from "../../clients/kubernetes/nodes";
import { type Config, config, file, unit } from "../../ignition";
import type { Cluster } from "../model";
import { clusterApiServer, localApiServer } from "../network/ports";
import { launcher, paths } from "../paths";
import { memberCommand } from "./bootstrap/recovery-assets";

/** Seconds between checks of a running controller, and at first, when all machines may have been turned on together. */
const every = { atFirst: 5, later: 20 };

/** How many checks are at first. */
const first = 60;

/** Path of a file, not empty, that makes a machine step aside at its next boot, even while nothing serves. */
export const takenOverFile = "/etc/kubernetes/taken-over";

const program = `${paths.bin}/step-aside`;

const kubeconfigs = [paths.kubeconfig, paths.changedKubeconfig, paths.bootstrapKubeconfig];

const script = `#!/bin/sh
# step-aside boot|watch NODE API OWN-API: keeps a controller from serving an old cluster if another machine has taken its
# place, from a snapshot: the load balancer would mix the two. While etcd does not run here and the API works, others are the
# cluster, and nothing is lost without this machine.
set -u
mode=$1 node=$2 api=$3 own=$4 other="another one continued the cluster from a snapshot"
answer=/run/step-aside.json
# ask API PATH [OPTION...]: the HTTP status, or 000
ask() {
    url=$1$2 ca=${paths.kubeletAuthorities}
    shift 2
    [ -e "$ca" ] || ca=${paths.ca}
    : >$answer
    curl -s --max-time 5 --cacert "$ca" "$@" -o $answer -w '%{http_code}' "$url"
}
about_node() { ask "$1" "/api/v1/nodes/$node" --cert ${paths.kubeletClient}; }
has() { tr -d ' \\n' <$answer | grep -qF "$1"; }
is_member() { [ -e ${paths.etcdStaticPod} ]; }
runs() { pgrep -f '${memberCommand}' >/dev/null; }
is_leaving() { has '"${leavingAnnotation}":"'; }
is_taken_over() { has '"${leavingAnnotation}":"${takenOver}"'; }
# Not while a bootstrap or a recovery is about to start the member.
uses_own() { [ -e ${paths.bootstrapState}/pivoted ] && grep -qsF "$own" ${kubeconfigs.join(" ")}; }
# The first controller's kubelet uses its own API, which ends with its member of etcd.
use_api() {
    for file in ${kubeconfigs.join(" ")}; do [ ! -f "$file" ] || sed -i "s|$own|$api|" "$file"; done
    systemctl try-restart --no-block kubelet.service
}
step_aside() {
    old=${paths.etcdMemberData}.before-$(date +%Y%m%dT%H%M%S)
    echo "tradewind: this machine is no controller any more: $1. Its control plane does not run; data of etcd is moved to $old"
    systemctl disable --now --no-block bootstrap.service 2>/dev/null
    rm -rf ${paths.etcdStaticPod} ${paths.staticPods}/${copyFileName("*/*")} ${paths.checkpoints}/* ${paths.bootstrap}/secrets ${paths.bootstrap}/manifests
    pkill -KILL -f '${memberCommand}'
    pkill -KILL -x kube-apiserver
    [ ! -e ${paths.etcdMemberData} ] || mv ${paths.etcdMemberData} "$old"
    use_api
    sync
}
boot() {
    if [ -s ${takenOverFile} ]; then
        step_aside "$other"
        rm ${takenOverFile}
    fi
    tries=2 last=
    while is_member && ! runs; do
        if [ "$(ask "$api" /readyz)" != 200 ]; then
            # Nothing serves, which a busy load balancer may say for a moment.
            tries=$((tries - 1))
            [ $tries -gt 0 ] || return 0
        else
            code=$(about_node "$api")
            case $code in
            200)
                if is_taken_over; then
                    step_aside "$other"
                else
                    # Its member may have been removed while it was off, so that its own API never works again.
                    if is_leaving; then use_api; fi
                    return 0
                fi
                ;;
            401 | 403) step_aside "the cluster does not accept its certificate (HTTP $code)" ;;
            404) ! has '"reason":"NotFound"' || step_aside "the cluster has no Node $node" ;;
            *) [ "$code" = "$last" ] || echo "tradewind: the API works, but does not say whether $node is a controller (HTTP $code): waiting" ;;
            esac
            last=$code
        fi
        sleep 1
    done
}
watch() {
    checks=0 pause=${every.atFirst}
    while sleep $pause; do
        checks=$((checks + 1))
        [ $checks -lt ${first} ] || pause=${every.later}
        if ! is_member; then
            uses_own || continue
            echo "tradewind: this machine has no API of its own any more: its kubelet uses $api"
            use_api
        elif [ "$(about_node "$api")" = 200 ] && is_leaving; then
            place=left
            if is_taken_over; then place=taken; fi
            code=$(about_node "$own")
            if [ $place$code = taken200 ] && ! is_taken_over; then
                # It booted while that cluster did not answer. Both serve now.
                step_aside "$other"
            elif [ $place = left ] && [ "$code" != 200 ] && uses_own; then
                echo "tradewind: the cluster removed this machine's member of etcd: its kubelet uses $api"
                use_api
            fi
        fi
    done
}
"$mode"
`;

/**
 * Keeps a controller that comes back after another machine took its place from running a second cluster. Its kubelet
 * joins the cluster instead, which makes it a candidate.
 */
export function stepAside(cluster: Cluster, name: string): Config {
    const args = `${name} ${clusterApiServer(cluster)} ${localApiServer}`;
    return config({
        files: [file(program, script, { mode: 0o755 })],
        units: [
            unit("step-aside.service", {
                enabled: true,
                contents: `[Unit]
Description=Run no control plane where another machine has taken it over
Wants=network-online.target
After=network-online.target keep-files.service
Before=checkpoints.service bootstrap.service kubelet.service

[Service]
StandardOutput=journal+console
SyslogLevel=notice
TimeoutStartSec=infinity
ExecStartPre=-${launcher} ${program} boot ${args}
ExecStart=${launcher} ${program} watch ${args}
Restart=always
RestartSec=10

[Install]
WantedBy=multi-user.target
`,
            }),
        ],
    });
}
