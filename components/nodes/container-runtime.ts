import { type Config, config, file, unit } from "../../ignition";
import type { ContainerRuntime, Download } from "./downloads";
import { fetchScript } from "./fetch";
import { paths } from "./paths";

const service = "container-runtime.service";
const folder = "/opt/tradewind/container-runtime";

/** containerd and runc of an OS image that has none: fetched when the machine boots first, and not again. */
export function containerRuntime(runtime: ContainerRuntime): Config {
    return config({
        files: [file(`${paths.bin}/install-container-runtime`, script(runtime), { mode: 0o755 })],
        units: [
            unit(service, { enabled: true, contents: install }),
            // containerd's project publishes a unit like this one beside its programs.
            unit("containerd.service", { enabled: true, contents: containerd }),
        ],
    });
}

/** By renames, and the mark last: a boot that is cut off does it anew. */
function script({ containerd, runc }: ContainerRuntime): string {
    const fetched = (name: string, { urls, sha256 }: Download) =>
        `${fetchScript} "$here/${name}" ${sha256} ${urls.join(" ")}`;
    return `#!/bin/sh
# Installs containerd and runc beside the programs of the OS, unless they were.
set -eu
here=${folder}
if [ -f "$here/installed" ]; then exit 0; fi
${fetched("containerd.tar.gz", containerd)}
${fetched("runc", runc)}
rm -rf "$here/unpacked"
mkdir -p "$here/unpacked"
tar -xzf "$here/containerd.tar.gz" -C "$here/unpacked" --no-same-owner
cp "$here/runc" "$here/unpacked/bin/runc"
for program in containerd containerd-shim-runc-v2 ctr runc; do
    chmod 755 "$here/unpacked/bin/$program"
    sync "$here/unpacked/bin/$program"
    mv -f "$here/unpacked/bin/$program" "/usr/bin/$program"
done
rm -rf "$here/unpacked" "$here/containerd.tar.gz" "$here/runc"
touch "$here/installed"
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
Delegate=yes
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
