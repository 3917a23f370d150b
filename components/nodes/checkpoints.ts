import { bootMarker, copyFileName } from "../../agents/checkpointer/layout";
import { type Config, config, directory, file, unit } from "../../ignition";
import { paths } from "./paths";

const script = `#!/bin/sh
# Nothing runs right after a boot: the copies that may run beside their pods need not wait for the checkpointer to see it.
set -eu
for marker in ${paths.checkpoints}/*/*/current/${bootMarker}; do
    [ -e "$marker" ] || continue
    checkpoint=\${marker%/*}
    parent=\${checkpoint%/current}
    name=\${parent##*/}
    namespace=\${parent%/*}
    namespace=\${namespace##*/}
    copy=${copyFileName("$namespace/$name")}
    # By rename, so that the kubelet never reads half a file.
    cp "$checkpoint/pod.json" "${paths.kubernetes}/.$copy.half"
    mv "${paths.kubernetes}/.$copy.half" "${paths.staticPods}/$copy"
done
`;

const service = `[Unit]
Description=Start copies of the control plane that need no API
Documentation=https://kubernetes.io/docs/tasks/configure-pod-container/static-pod/
Before=kubelet.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=${paths.bin}/start-checkpoints

[Install]
WantedBy=multi-user.target
`;

/** Has a controller's control plane start with its kubelet, from the copies that the checkpointer keeps. */
export function checkpoints(): Config {
    return config({
        directories: [directory(paths.checkpoints, { mode: 0o700 })],
        files: [file(`${paths.bin}/start-checkpoints`, script, { mode: 0o755 })],
        units: [unit("checkpoints.service", { enabled: true, contents: service })],
    });
}
