import { unpackedFile } from "../../../agents/boot/receiver/plan";
import { linesFile, linesRequestedFile, type ReportPlan, replacedAssetsFile } from "../../../agents/boot/report/plan";
import { lastLinesScript } from "../../../agents/harness/last-lines";
import { copyAddress } from "../../../clients/kubernetes/loopback";
import { type Config, config, directory, file, unit } from "../../../ignition";
import type { Credentials } from "../../keys/credentials";
import { selfHostedPod } from "../../manifests/control-plane";
import { json } from "../../manifests/objects";
import type { Cluster } from "../../model";
import { ports } from "../../network/ports";
import { launcher, paths } from "../../paths";
import { agentRun } from "../agent-run";
import { receiverFiles } from "./receiver";

const folder = "/opt/tradewind/bootstrap-report";
const script = `${paths.bin}/restart-bootstrap`;
const linesScript = `${paths.bin}/tell-last-lines`;
const requested = `${paths.bootstrapState}/${linesRequestedFile}`;
const lines = `${paths.bootstrapState}/${linesFile}`;

/**
 * Agent that reports the progress of the bootstrap on a cloud, and why it stopped, while the API is not reachable yet.
 * It is part of the assets, authenticates with the receiver's key, and is removed with it.
 *
 * @param agent - its source text
 */
export function bootstrapReport(cluster: Cluster, secrets: Credentials, agent: string): Config {
    const { address } = selfHostedPod(cluster, "kube-apiserver", secrets);
    const plan: ReportPlan = {
        root: "/host",
        port: ports.kubeApiserver,
        apiservers: [address, copyAddress(address)],
        ca: paths.ca,
        ...receiverFiles,
        state: paths.bootstrapState,
        staticPods: paths.staticPods,
        kubeconfig: paths.kubeconfig,
        manifests: `${paths.bootstrap}/manifests`,
    };
    return config({
        directories: [directory(folder, { mode: 0o700 })],
        files: [
            file(`${folder}/report.js`, agent, { mode: 0o600 }),
            file(`${folder}/plan.json`, json(plan), { mode: 0o600 }),
            file(script, restart, { mode: 0o755 }),
            file(linesScript, collectLines, { mode: 0o755 }),
        ],
        units: [
            unit("bootstrap-report.service", { enabled: true, contents: service(cluster) }),
            unit("bootstrap-lines.path", { enabled: true, contents: linesPath }),
            unit("bootstrap-lines.service", { contents: linesService }),
        ],
    });
}

const collectLines = `#!/bin/sh
# Writes the last log lines of units and containers for an agent that cannot read the journal.
# shellcheck disable=SC2012,SC2086 # lists of units, and of logs with plain names
set -u
umask 077
rm -f ${requested}
{${lastLinesScript}
} >${lines}.new 2>&1
mv ${lines}.new ${lines}
`;

const linesPath = `[Unit]
Description=Tell the last lines of units when they are asked for
ConditionPathExists=${receiverFiles.key}

[Path]
PathExists=${requested}

[Install]
WantedBy=multi-user.target
`;

const linesService = `[Unit]
Description=Tell the last lines of units
StartLimitIntervalSec=0

[Service]
Type=oneshot
ExecStart=${launcher} ${linesScript}
`;

const restart = `#!/bin/sh
# Starts what replaced the files that were unpacked first, including this unit.
set -eu
state=${paths.bootstrapState}
[ -e "$state/${replacedAssetsFile}" ] || exit 0
systemctl daemon-reload
xargs systemctl enable --quiet <"$state/${unpackedFile}"
rm "$state/${replacedAssetsFile}"
systemctl restart --no-block kubelet.service
xargs systemctl restart --no-block <"$state/${unpackedFile}"
`;

function service(cluster: Cluster): string {
    const run = agentRun(cluster, {
        container: "tradewind-bootstrap-report",
        mounts: [
            { path: "/host", source: "/", mode: "rw" },
            { path: folder, mode: "ro" },
        ],
        command: `node ${folder}/report.js ${folder}/plan.json`,
    });
    return `[Unit]
Description=Tell who starts a cluster how far it is
ConditionPathExists=${receiverFiles.key}
Wants=containerd.service network-online.target
After=containerd.service network-online.target
StartLimitIntervalSec=0

[Service]
Type=oneshot
TimeoutStartSec=infinity
Restart=on-failure
RestartSec=5
${run}
ExecStart=${launcher} ${script}

[Install]
WantedBy=multi-user.target
`;
}
