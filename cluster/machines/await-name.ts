import { bundleAgent } from "../../bundling/agents";
import { type Config, config, directory, file, unit } from "../../ignition";
import { kubeletKubeconfig } from "../kubelet-settings";
import type { Cluster } from "../model";
import { agentRun } from "./agent-run";

const folder = "/opt/tradewind/await-name";

/**
 * Keeps a machine that has not joined yet from resolving the API's name before its record exists, for clouds where the
 * record is created after the machine. It queries the domain's own name servers, because resolvers cache negative
 * answers.
 */
export function awaitName(cluster: Cluster): Config {
    return config({
        directories: [directory(folder, { mode: 0o700 })],
        // Compressed: user-data is small.
        files: [file(`${folder}/await-name.js`, bundleAgent("await-name"), { mode: 0o600, gzip: true })],
        units: [unit("await-name.service", { enabled: true, contents: service(cluster) })],
    });
}

function service(cluster: Cluster): string {
    const domain = cluster.zone.slice(cluster.name.length + 1);
    const run = agentRun(cluster, {
        container: "tradewind-await-name",
        mounts: [{ path: folder, mode: "ro" }],
        command: `node ${folder}/await-name.js ${cluster.apiName} ${domain}`,
    });
    return `[Unit]
Description=Wait until the API's name is there
# A machine that has joined needs no image to continue.
ConditionPathExists=!${kubeletKubeconfig(cluster)}
Wants=containerd.service network-online.target
After=containerd.service network-online.target
# They start even if this one fails.
Before=kubelet.service bootstrap-receiver.service

[Service]
Type=oneshot
# Once per boot: a restarted kubelet does not wait again.
RemainAfterExit=yes
TimeoutStartSec=20min
${run}

[Install]
# In their units: cloud-init starts units one by one, and they would start before this one exists.
WantedBy=kubelet.service bootstrap-receiver.service
`;
}
