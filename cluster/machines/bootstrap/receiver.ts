import { type ReceiverPlan, settledFile, unpackedFile } from "../../../agents/boot/receiver/plan";
import { type Config, config, directory, file, unit } from "../../../ignition";
import type { KeyPair } from "../../keys/credentials";
import { json } from "../../manifests/objects";
import type { Cluster } from "../../model";
import { clusterApiServer, ports } from "../../network/ports";
import { launcher, paths } from "../../paths";
import { agentRun } from "../agent-run";

const folder = "/opt/tradewind/bootstrap-receiver";
/** Certificate and key of the receiver. */
export const receiverFiles = { cert: `${folder}/tls.crt`, key: `${folder}/tls.key` } as const;

const settled = `${paths.bootstrapState}/${settledFile}`;

export interface BootstrapReceiverOptions {
    /** Identifies the receiver to the sender of the assets; see `receiverName`. */
    readonly certificate: KeyPair;
    /** Source text of the agent. */
    readonly agent: string;
}

/** Name in the receiver's certificate: unique, and not in DNS. */
export function receiverName({ zone }: Cluster): string {
    return `bootstrap.${zone}`;
}

/**
 * Receiver of the bootstrap assets on the first controller of a cloud, where nothing can copy files to it. It listens
 * on the API's port. Its key is useless once the control plane has pivoted.
 */
export function bootstrapReceiver(cluster: Cluster, { certificate, agent }: BootstrapReceiverOptions): Config {
    const plan: ReceiverPlan = {
        apiServer: clusterApiServer(cluster),
        root: "/host",
        port: ports.kubeApiserver,
        ca: paths.ca,
        ...receiverFiles,
        state: paths.bootstrapState,
        staticPods: paths.staticPods,
        kubeconfig: paths.kubeconfig,
    };
    return config({
        directories: [directory(folder, { mode: 0o700 })],
        files: [
            // Compressed: user-data is small.
            file(`${folder}/receiver.js`, agent, { mode: 0o600, gzip: true }),
            file(`${folder}/plan.json`, json(plan), { mode: 0o600 }),
            file(plan.cert, certificate.cert, { mode: 0o600 }),
            file(plan.key, certificate.key, { mode: 0o600 }),
            file(`${paths.bin}/start-bootstrap`, startScript, { mode: 0o755 }),
        ],
        units: [unit("bootstrap-receiver.service", { enabled: true, contents: service(cluster) })],
    });
}

const startScript = `#!/bin/sh
# Starts what the receiver unpacked, if anything. Restarts the kubelet, which has already read how to join.
set -eu
state=${paths.bootstrapState}
[ -e "$state/${unpackedFile}" ] || exit 0
systemctl daemon-reload
xargs systemctl enable --quiet <"$state/${unpackedFile}"
systemctl restart --no-block kubelet.service
xargs systemctl start --no-block <"$state/${unpackedFile}"
touch ${settled}
sync ${settled}
`;

function service(cluster: Cluster): string {
    const run = agentRun(cluster, {
        container: "tradewind-bootstrap-receiver",
        mounts: [
            { path: "/host", source: "/", mode: "rw" },
            { path: folder, mode: "ro" },
        ],
        command: `node ${folder}/receiver.js ${folder}/plan.json`,
    });
    return `[Unit]
Description=Take what starts a cluster, unless it is there
ConditionPathExists=!${settled}
Wants=containerd.service network-online.target
After=containerd.service network-online.target
StartLimitIntervalSec=0

[Service]
Type=oneshot
TimeoutStartSec=infinity
Restart=on-failure
RestartSec=1
${run}
ExecStart=${launcher} ${paths.bin}/start-bootstrap

[Install]
WantedBy=multi-user.target
`;
}
