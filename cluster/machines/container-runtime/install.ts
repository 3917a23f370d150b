import {
    currentRuntime,
    runningRuntime,
    runtimeFault,
    runtimeId,
    runtimePrograms,
    runtimeRequest,
    runtimeTrial,
} from "../../../agents/nodes/node-agent/layout";
import { type Config, config, file, merge, unit } from "../../../ignition";
import type { ContainerRuntime, Download } from "../../downloads";
import { launcher, paths } from "../../paths";
import { fetchScript } from "../system";

const service = "container-runtime.service";
const folder = paths.containerRuntimes;

/**
 * containerd and runc for an OS image that has none: downloaded on first boot. The node-agent installs later versions.
 */
export function containerRuntime(runtime: ContainerRuntime): Config {
    const own = config({
        files: [file(`${paths.bin}/install-container-runtime`, script(runtime), { mode: 0o755 })],
        units: [
            unit(service, { enabled: true, contents: install }),
            // containerd's project publishes a similar unit with its binaries.
            unit("containerd.service", { enabled: true, contents: containerd }),
        ],
    });
    return merge(own, containerRuntimeSwitch());
}

/** Works by renames, with the link last, so that an interrupted boot repeats it. */
function script(runtime: ContainerRuntime): string {
    const fetched = (name: string, { urls, sha256 }: Download) =>
        `    ${fetchScript} "$here/${name}" ${sha256} ${urls.join(" ")}`;
    return `#!/bin/sh
# Installs containerd and runc on first boot, next to those of the OS. After a failed trial, returns to the previous version.
set -eu
here=${folder}
link() {
    ln -sfn "$1" "$here/next"
    mv -fT "$here/next" "$2"
}
# Drop a request from before this boot; the node-agent repeats it.
rm -f "$here/${runtimeRequest}"
if [ -f "$here/${runtimeTrial}" ]; then
    link "$(cat "$here/${runtimeTrial}")" "$here/${currentRuntime}"
    sync "$here"
    rm "$here/${runtimeTrial}"
fi
# A power cut can truncate a program. Those without checksums were installed by the node-agent.
is_whole() {
    cd "$here/${currentRuntime}" 2>/dev/null || return
    [ ! -e sums ] || { grep -qs "^[0-9a-f]*  ." sums && sha256sum --check --status sums; }
}
if ! (is_whole); then
${fetched("containerd.tar.gz", runtime.containerd)}
${fetched("runc", runtime.runc)}
    rm -rf "$here/unpacked" "$here/${runtimeId(runtime)}"
    mkdir -p "$here/unpacked" "$here/${runtimeId(runtime)}"
    tar -xzf "$here/containerd.tar.gz" -C "$here/unpacked" --no-same-owner
    mv "$here/runc" "$here/unpacked/bin/runc"
    for program in ${runtimePrograms.join(" ")}; do
        chmod 755 "$here/unpacked/bin/$program"
        sync "$here/unpacked/bin/$program"
        mv "$here/unpacked/bin/$program" "$here/${runtimeId(runtime)}/$program"
        link "$here/${currentRuntime}/$program" "/usr/bin/$program"
    done
    rm -rf "$here/unpacked" "$here/containerd.tar.gz"
    (cd "$here/${runtimeId(runtime)}" && sha256sum ${runtimePrograms.join(" ")} >sums && sync sums)
    link ${runtimeId(runtime)} "$here/${currentRuntime}"
fi
`;
}

const install = `[Unit]
Description=Install containerd and runc
Wants=network-online.target
After=network-online.target
Before=containerd.service
StartLimitIntervalSec=0

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=${launcher} ${paths.bin}/install-container-runtime
Restart=on-failure
RestartSec=2

[Install]
WantedBy=multi-user.target
`;

const containerd = `[Unit]
Description=containerd container runtime
Documentation=https://containerd.io
# Not Requires: containerd is retried until its programs exist.
Wants=${service}
After=network.target local-fs.target ${service}
StartLimitIntervalSec=0

[Service]
Type=notify
ExecStart=/usr/bin/containerd --config /etc/containerd/config.toml
# Tells the node-agent, once containerd serves.
ExecStartPost=/bin/sh -c 'readlink ${folder}/${currentRuntime} >${folder}/${runningRuntime}'
Delegate=yes
# Containers keep running under their shims.
KillMode=process
Restart=always
RestartSec=2
LimitNPROC=infinity
LimitCORE=infinity
TasksMax=infinity
OOMScoreAdjust=-999

[Install]
WantedBy=multi-user.target
`;

/** Within this time the node-agent must confirm that a runtime works. If it can, it gives up earlier. */
const trialMinutes = 15;

/**
 * Allows the node-agent, which can only access its own directories on the host, to restart containerd as another
 * version.
 */
export function containerRuntimeSwitch(): Config {
    return config({
        files: [file(`${paths.bin}/switch-container-runtime`, switchScript, { mode: 0o755 })],
        units: [
            unit("container-runtime-switch.path", { enabled: true, contents: path }),
            unit("container-runtime-switch.service", { contents: switchService }),
        ],
    });
}

/**
 * Falls back by itself, because an agent without a working runtime may be unable to request it. A boot falls back too:
 * install-container-runtime.
 */
const switchScript = `#!/bin/sh
# Starts the container runtime that the node-agent requested; goes back to the previous one if it fails.
set -eu
cd ${folder}
start() {
    ln -sfn "$1" next
    mv -fT next ${currentRuntime}
    sync .
    rm -f ${runtimeRequest}
    systemctl reset-failed containerd.service || true
    systemctl restart containerd.service
}
# A self-contained program, so the container needs no other file.
runs_containers() {
    rm -rf probe
    mkdir probe
    cp ${currentRuntime}/containerd-shim-runc-v2 probe/program
    timeout 60 ${currentRuntime}/ctr --namespace tradewind run --rm --rootfs ${folder}/probe "probe-$$" /program -v >probe/log 2>&1 || return
    rm -rf probe
}
is_kept() {
    for _ in $(seq ${trialMinutes * 60}); do
        if [ ! -f ${runtimeTrial} ] || [ -f ${runtimeRequest} ]; then return; fi
        sleep 1
    done
    return 1
}
if [ ! -f ${runtimeRequest} ]; then exit; fi
id=$(cat ${runtimeRequest})
if [ "$(cat ${runtimeTrial} 2>/dev/null)" = "$id" ]; then
    # systemd keeps retrying.
    start "$id" || true
    rm ${runtimeTrial}
    exit
fi
if [ ! -f ${runtimeTrial} ] && [ "$(readlink ${currentRuntime})" != "$id" ]; then
    readlink ${currentRuntime} >trial.new
    sync trial.new
    mv trial.new ${runtimeTrial}
    sync .
fi
if ! start "$id"; then
    why="containerd does not start"
elif ! runs_containers; then
    why="it starts no container: $(tail -n 1 probe/log | tail -c 300)"
elif is_kept; then
    exit
else
    why="the node-agent did not confirm within ${trialMinutes} minutes that it works"
fi
if former=$(cat ${runtimeTrial}); then
    echo "$why" >${runtimeFault}
    start "$former" || true
    rm -f ${runtimeTrial}
fi
`;

const path = `[Unit]
Description=Change the container runtime when the node-agent asks for it

[Path]
PathExists=${folder}/${runtimeRequest}

[Install]
WantedBy=multi-user.target
`;

const switchService = `[Unit]
Description=Change the container runtime, which leaves its containers alone
# This drops a request from before the boot.
After=container-runtime.service
StartLimitIntervalSec=0

[Service]
Type=oneshot
ExecStart=${launcher} ${paths.bin}/switch-container-runtime
`;
