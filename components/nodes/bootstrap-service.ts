import type { Cluster } from "../cluster/model";
import { bootstrapSecretsPath } from "../control-plane/pod";
import { agentRun } from "./agent-run";
import { paths } from "./paths";

/** Runs the bootstrap agent until the control plane pivoted, and never again; before it a script, by its path. */
export function bootstrapService(cluster: Cluster, before?: string): string {
    const run = agentRun(cluster, {
        container: "tradewind-bootstrap",
        mounts: [paths.bootstrap, paths.bootstrapState, paths.kubernetes].map((path) => ({ path, mode: "rw" })),
        command: `node ${paths.bootstrap}/bootstrap.js`,
        ...(before !== undefined && { before: `ExecStartPre=/bin/sh ${before}\n` }),
    });
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
${run}

[Install]
WantedBy=multi-user.target
`;
}
