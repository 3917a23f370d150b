import type { Cluster } from "../cluster/model";
import { bootstrapSecretsPath } from "../control-plane/pod";
import { paths } from "./paths";

const container = "tradewind-bootstrap";

/** Runs the bootstrap agent until the control plane pivoted, and never again; before it a script, by its path. */
export function bootstrapService({ images }: Cluster, before?: string): string {
    const mounts = [paths.bootstrap, paths.bootstrapState, paths.kubernetes]
        .map((path) => `--mount type=bind,src=${path},dst=${path},options=rbind:rw`)
        .join(" \\\n    ");
    const ctr = "/usr/bin/ctr --namespace tradewind";
    return `[Unit]
Description=Start a temporary control plane and pivot to the self-hosted one
# Until the pivot is done, and after it as long as a key of the bootstrap still lies here.
ConditionPathExists=|!${paths.bootstrapState}/pivoted
ConditionPathExists=|${paths.bootstrap}/secrets
ConditionPathExists=|${paths.bootstrap}/manifests
ConditionPathExists=|${bootstrapSecretsPath}
# Not Requires: with containerd stopped and started again, it goes on.
Wants=containerd.service network-online.target
After=containerd.service network-online.target
StartLimitIntervalSec=0

[Service]
Type=oneshot
RemainAfterExit=yes
Restart=on-failure
RestartSec=1
# What a killed run left behind.
ExecStartPre=-${ctr} tasks kill --signal SIGKILL ${container}
ExecStartPre=-${ctr} containers delete ${container}
ExecStartPre=-${ctr} snapshots delete ${container}
${before ? `ExecStartPre=/bin/sh ${before}\n` : ""}# A connection that went dead without a word is never given up by itself.
ExecStartPre=/usr/bin/timeout 180 ${ctr} images pull --hosts-dir /etc/containerd/certs.d ${images.node}
ExecStart=${ctr} run --rm --net-host \\
    ${mounts} \\
    ${images.node} ${container} \\
    node ${paths.bootstrap}/bootstrap.js

[Install]
WantedBy=multi-user.target
`;
}
