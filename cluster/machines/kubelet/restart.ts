import { restartRequest } from "../../../agents/nodes/node-agent/layout";
import { paths } from "../../paths";

interface Restarts {
    readonly by: string;
    /** File that requests a restart. */
    readonly request: string;
    /** No more restarts once this file exists. @default none */
    readonly until?: string;
}

/** Allows an agent, which can only access its own directories on the host, to restart the kubelet. */
function kubeletRestart({ by, request, until }: Restarts): { readonly path: string; readonly service: string } {
    const path = `[Unit]
Description=Restart the kubelet when the ${by} asks for it
${until ? `ConditionPathExists=!${until}\n` : ""}
[Path]
PathExists=${request}

[Install]
WantedBy=multi-user.target
`;
    const service = `[Unit]
Description=Restart the kubelet, which leaves its containers alone

[Service]
Type=oneshot
ExecStart=/bin/rm ${request}
# Also starts a kubelet that systemd gave up on.
ExecStart=-/bin/systemctl reset-failed kubelet.service
ExecStart=/bin/systemctl restart kubelet.service
`;
    return { path, service };
}

export const bootstrapRestart = kubeletRestart({
    by: "bootstrap",
    request: paths.kubeletRestart,
    until: `${paths.bootstrapState}/pivoted`,
});

export const nodeAgentRestart = kubeletRestart({
    by: "node-agent",
    request: `${paths.nodeAgentState}/${restartRequest}`,
});
