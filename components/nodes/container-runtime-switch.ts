import { currentRuntime, runtimeFault, runtimeRequest, runtimeTrial } from "../../agents/node-agent/layout";
import { type Config, config, file, unit } from "../../ignition";
import { paths } from "./paths";

const folder = paths.containerRuntimes;

/** In which the node-agent has to say of a runtime that it does. It gives up before, if it can. */
const trialMinutes = 15;

/** Lets the node-agent, which sees no more of the host than its own directories, have containerd restarted as another one. */
export function containerRuntimeSwitch(): Config {
    return config({
        files: [file(`${paths.bin}/switch-container-runtime`, script, { mode: 0o755 })],
        units: [
            unit("container-runtime-switch.path", { enabled: true, contents: path }),
            unit("container-runtime-switch.service", { contents: service }),
        ],
    });
}

/**
 * It goes back by itself, since an agent without a runtime that does may not be able to ask for that. A boot goes back too:
 * install-container-runtime.
 */
const script = `#!/bin/sh
# Starts the container runtime that the node-agent asks for, and the one before again unless it does.
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
# A program of its own, that needs no file beside.
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
    # systemd tries on.
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
    why="nobody said in ${trialMinutes} minutes that it does"
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

const service = `[Unit]
Description=Change the container runtime, which leaves its containers alone
# That drops what was asked for before a boot.
After=container-runtime.service
StartLimitIntervalSec=0

[Service]
Type=oneshot
ExecStart=${paths.bin}/switch-container-runtime
`;
