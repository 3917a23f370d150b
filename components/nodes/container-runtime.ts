import {
    currentRuntime,
    runningRuntime,
    runtimeId,
    runtimePrograms,
    runtimeRequest,
    runtimeTrial,
} from "../../agents/node-agent/layout";
import { type Config, config, file, merge, unit } from "../../ignition";
import { containerRuntimeSwitch } from "./container-runtime-switch";
import type { ContainerRuntime, Download } from "./downloads";
import { fetchScript } from "./fetch";
import { paths } from "./paths";

const service = "container-runtime.service";
const folder = paths.containerRuntimes;

/** containerd and runc of an OS image that has none: fetched when the machine boots first. Later ones are the node-agent's to fetch. */
export function containerRuntime(runtime: ContainerRuntime): Config {
    const own = config({
        files: [file(`${paths.bin}/install-container-runtime`, script(runtime), { mode: 0o755 })],
        units: [
            unit(service, { enabled: true, contents: install }),
            // containerd's project publishes a unit like this one beside its programs.
            unit("containerd.service", { enabled: true, contents: containerd }),
        ],
    });
    return merge(own, containerRuntimeSwitch());
}

/** By renames, and the link last: a boot that is cut off does it anew. */
function script(runtime: ContainerRuntime): string {
    const fetched = (name: string, { urls, sha256 }: Download) =>
        `    ${fetchScript} "$here/${name}" ${sha256} ${urls.join(" ")}`;
    return `#!/bin/sh
# Installs containerd and runc beside the programs of the OS, unless they were, and goes back from others that are not known to do.
set -eu
here=${folder}
link() {
    ln -sfn "$1" "$here/next"
    mv -fT "$here/next" "$2"
}
# What was asked for before this boot is asked for again.
rm -f "$here/${runtimeRequest}"
if [ -f "$here/${runtimeTrial}" ]; then
    link "$(cat "$here/${runtimeTrial}")" "$here/${currentRuntime}"
    sync "$here"
    rm "$here/${runtimeTrial}"
fi
if [ ! -L "$here/${currentRuntime}" ]; then
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
ExecStart=${paths.bin}/install-container-runtime
Restart=on-failure
RestartSec=2

[Install]
WantedBy=multi-user.target
`;

const containerd = `[Unit]
Description=containerd container runtime
Documentation=https://containerd.io
# Not Requires: it tries until its programs are there.
Wants=${service}
After=network.target local-fs.target ${service}
StartLimitIntervalSec=0

[Service]
Type=notify
ExecStart=/usr/bin/containerd --config /etc/containerd/config.toml
# For the node-agent, once it serves.
ExecStartPost=/bin/sh -c 'readlink ${folder}/${currentRuntime} >${folder}/${runningRuntime}'
Delegate=yes
# Containers run on, under their shims.
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
